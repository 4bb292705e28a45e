import { VERIFIABLE } from '../../../../pipelines/compare/difference.ts'
import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'

const BACKFILL_ID = { type: 'integer', required: true, describe: 'Backfill ID' } as const

export const backfill: Group = {
  name: 'backfill',
  describe: 'Plan, run and monitor backfills of data that the nightly runs missed',
  commands: [
    command({
      name: 'plan',
      describe: 'Estimate the cost of a backfill and save it as a plan',
      positionals: { dataset: { type: 'string', choices: VERIFIABLE, required: true, describe: 'Data to backfill' } },
      options: {
        from: { type: 'string', describe: 'History: fetch only changes after this date' },
        members: { type: 'string', array: 'commas', describe: 'Fetch only these domains' },
      },
      examples: [['backfill plan history --from 2026-01-01', 'Plan a backfill of the history since January']],
      load: async () => (await import('./plan.ts')).plan,
    }),
    command({
      name: 'list',
      describe: 'List backfills, newest first, with estimated and actual cost',
      load: async () => (await import('./list.ts')).list,
    }),
    command({
      name: 'run',
      describe: 'Run a plan, newest data first, or resume it after a crash',
      positionals: { id: BACKFILL_ID },
      load: async () => (await import('./run.ts')).runPlanned,
    }),
    command({
      name: 'pause',
      describe: 'Pause a backfill after its current part',
      positionals: { id: BACKFILL_ID },
      load: async () => (await import('./pause.ts')).pause,
    }),
    command({
      name: 'resume',
      describe: 'Resume a paused backfill',
      positionals: { id: BACKFILL_ID },
      load: async () => (await import('./resume.ts')).resume,
    }),
    command({
      name: 'retry-failed',
      describe: 'Retry the failed parts of a backfill',
      positionals: { id: BACKFILL_ID },
      load: async () => (await import('./retry-failed.ts')).retryFailed,
    }),
  ],
}
