import type { ComponentChildren } from 'preact'
import type { Usage } from '../../../src/contract/usage.ts'
import type { WarehouseOverview } from '../../../src/contract/warehouse.ts'
import { formatNumber, plural } from '../../lib/format.ts'
import type { Tone } from '../../ui/feedback.tsx'
import { Notice } from '../../ui/feedback.tsx'
import { Outside } from '../../ui/text.tsx'
import { pipelineName } from '../runs/run-state.tsx'
import { latestFreshness } from './state.ts'

interface Concern {
  key: string
  tone: Tone
  text: ComponentChildren
  link: { href: string; label: string }
}

/** Problems that need action, most urgent first. Renders nothing if there are no problems. */
export function Concerns({ overview, usage }: { overview: WarehouseOverview; usage: Usage | undefined }) {
  const concerns = [...ofRuns(overview), ...ofBudget(overview, usage), ...ofRecords(overview)]
  if (concerns.length === 0) return null
  return (
    <section aria-label="Needs attention" class="stack-small">
      {concerns.map(({ key, tone, text, link }) => (
        <Notice
          key={key}
          tone={tone}
          actions={
            <a class="button small no-print" href={link.href}>
              {link.label}
            </a>
          }
        >
          {text}
        </Notice>
      ))}
    </section>
  )
}

const ofRuns = ({ pipelines }: WarehouseOverview): Concern[] =>
  pipelines
    .filter(({ run }) => run.outcome === 'failed' || run.outcome === 'degraded' || run.state === 'abandoned')
    // A nightly run's reasons repeat its steps' reasons.
    .filter(
      ({ run }) =>
        run.pipeline !== 'nightly' ||
        pipelines.every((other) => other.run.parent_id !== run.id || other.run.outcome === 'ok'),
    )
    .map(({ run }) => ({
      key: `run ${run.id}`,
      tone: run.outcome === 'degraded' ? 'warn' : 'bad',
      text: (
        <>
          <span class="strong">{pipelineName(run.pipeline)}:</span>{' '}
          <Outside>
            {run.error_message ?? (run.reasons.join('; ') || 'its process died; starting it again resumes the work')}
          </Outside>
        </>
      ),
      link: { href: `/console/runs/${run.parent_id ?? run.id}`, label: 'View the run' },
    }))

function ofBudget({ forecast }: WarehouseOverview, usage: Usage | undefined): Concern[] {
  if (!usage || usage.overage_allowed) return []
  const ends = usage.period_ends_at.slice(0, 10)
  const due = forecast.filter(({ night }) => night < ends).reduce((sum, { units }) => sum + units, 0)
  if (due <= usage.units_remaining) return []
  return [
    {
      key: 'budget',
      tone: 'warn',
      text: `Units will run out: ${formatNumber(due)} will be due before this period ends, but only ${formatNumber(usage.units_remaining)} are left.`,
      link: { href: '/console/accounts?status=stale', label: 'View due accounts' },
    },
  ]
}

function ofRecords(overview: WarehouseOverview): Concern[] {
  const failing = latestFreshness(overview)?.failing ?? 0
  const rejected = overview.open_quarantine
  const many = rejected >= 1000 ? 'At least 1,000 records' : plural(rejected, 'record')
  return [
    ...(failing > 0
      ? [
          {
            key: 'failing',
            tone: 'warn' as const,
            text: `The latest enrichment of ${plural(failing, 'account')} found nothing or failed. Nightly runs retry it.`,
            link: { href: '/console/accounts?status=stale', label: 'View these accounts' },
          },
        ]
      : []),
    ...(rejected > 0
      ? [
          {
            key: 'quarantine',
            tone: 'warn' as const,
            text: `${many} ${rejected === 1 ? 'was' : 'were'} rejected and not stored.`,
            link: { href: '/console/trust?tab=quarantine', label: 'View the records' },
          },
        ]
      : []),
  ]
}
