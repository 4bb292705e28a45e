import type { Task } from '../../../src/contract/tasks.ts'
import type { Tone } from '../../ui/feedback.tsx'
import { Badge } from '../../ui/feedback.tsx'

const STATES: Record<Task['status'], [Tone, string]> = {
  queued: ['idle', 'Queued'],
  running: ['live', 'Running'],
  completed: ['good', 'Completed'],
  failed: ['bad', 'Failed'],
}

export const TaskBadge = ({ status }: { status: Task['status'] }) => (
  <Badge tone={STATES[status][0]}>{STATES[status][1]}</Badge>
)

const TYPES: Record<string, string> = {
  enrich_company: 'Company',
  enrich_company_with_leadership: 'Company with people',
  enrich_company_with_signals: 'Company with signals',
  enrich_company_with_leadership_and_signals: 'Company with people and signals',
  enrich_person: 'Person',
  enrich_batch: 'Batch',
  leadership_search: 'People',
  signal_discovery: 'Signals',
  tal_enrich: 'Target accounts',
}

export const taskName = (type: string): string => TYPES[type] ?? type
