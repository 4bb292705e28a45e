import type { WarehouseRun } from '../../../src/contract/warehouse.ts'
import { formatField } from '../../lib/format.ts'
import type { Tone } from '../../ui/feedback.tsx'
import { Badge } from '../../ui/feedback.tsx'

type State = Pick<WarehouseRun, 'state' | 'outcome' | 'stop_requested_at'>

const LABELS: Record<string, [Tone, string]> = {
  ok: ['good', 'OK'],
  degraded: ['warn', 'Degraded'],
  failed: ['bad', 'Failed'],
  running: ['live', 'Running'],
  interrupted: ['idle', 'Stopped'],
  abandoned: ['bad', 'Process died'],
}

const labelOf = ({ state, outcome, stop_requested_at }: State): [Tone, string] =>
  state === 'running' && stop_requested_at !== null
    ? ['live', 'Stopping']
    : (LABELS[outcome ?? state] ?? ['idle', state])

/** Display name of an outcome or state. */
export const resultName = (result: string): string => LABELS[result]?.[1] ?? result

export const toneOf = (run: State): Tone => labelOf(run)[0]

export function RunBadge({ run }: { run: State }) {
  const [tone, label] = labelOf(run)
  return <Badge tone={tone}>{label}</Badge>
}

/** Display names of the pipelines. */
const NAMES: Record<string, string> = {
  nightly: 'Nightly run',
  'tal-members': 'Target accounts',
  firms: 'Firms',
  'enrich-due': 'Enrichment',
  'refresh-members': 'Refresh',
  staleness: 'Freshness',
  history: 'History',
  repair: 'Repair',
  export: 'Snapshot',
}

export const pipelineName = (name: string): string => NAMES[name] ?? formatField(name.replaceAll('-', '_'))
