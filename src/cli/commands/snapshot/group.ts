import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'

const SNAPSHOT_ID = { type: 'string', describe: 'Snapshot ID [default: the latest]' } as const

export const snapshot: Group = {
  name: 'snapshot',
  describe: 'Export the warehouse as CSV and Parquet; verify and compare exports',
  commands: [
    command({
      name: 'create',
      describe: 'Export all warehouse tables in one consistent snapshot',
      options: {
        spreadsheet: {
          type: 'boolean',
          default: false,
          describe: 'Escape cells that a spreadsheet would evaluate as formulas',
        },
      },
      load: async () => (await import('./create.ts')).create,
    }),
    command({
      name: 'list',
      describe: 'List snapshots, newest first',
      load: async () => (await import('./list.ts')).list,
    }),
    command({
      name: 'verify',
      describe: "Verify a snapshot's files against its manifest",
      positionals: { id: SNAPSHOT_ID },
      load: async () => (await import('./verify.ts')).verify,
    }),
    command({
      name: 'diff',
      describe: 'Compare two snapshots row by row',
      positionals: { before: { type: 'string', required: true, describe: 'Snapshot ID' }, after: SNAPSHOT_ID },
      load: async () => (await import('./diff.ts')).diff,
    }),
    command({
      name: 'expire',
      describe: 'Delete all but the newest snapshots (see snapshot.keep) and the files of interrupted exports',
      load: async () => (await import('./expire.ts')).expire,
    }),
  ],
}
