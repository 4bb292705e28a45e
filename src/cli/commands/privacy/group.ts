import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'
import { COMPANY, limit, PERSON } from '../../support/parameters.ts'

const YES = { type: 'boolean', default: false, describe: 'Do not ask for confirmation' } as const

export const privacy: Group = {
  name: 'privacy',
  describe: 'Handle data subject requests',
  commands: [
    command({
      name: 'erase',
      describe: 'Erase a person from the service and add them to the suppression list',
      positionals: { person: PERSON },
      options: {
        company: COMPANY,
        'dry-run': { type: 'boolean', default: false, describe: 'List what would be removed' },
        yes: YES,
      },
      examples: [
        ['privacy erase jane.roe@acme.com --dry-run', 'List the data that an erasure would remove'],
        ['privacy erase "Jane Roe" --company acme.com', 'Erase a person by name'],
      ],
      epilogue: async () =>
        'This cannot be undone. The next nightly run, or `talhouse run erasures`, erases the person from the warehouse and its snapshots.',
      load: async () => (await import('./erase.ts')).erase,
    }),
    command({
      name: 'export',
      describe: 'Print everything stored about a person, as JSON',
      positionals: { person: PERSON },
      options: { company: COMPANY },
      load: async () => (await import('./export.ts')).exportData,
    }),
    command({
      name: 'list',
      describe: 'List erasures, newest first',
      options: {
        person: { ...PERSON, required: false, describe: 'Show only erasures of this person' },
        company: COMPANY,
        limit: limit(50),
      },
      load: async () => (await import('./list.ts')).list,
    }),
    command({
      name: 'lift',
      describe: 'Lift the suppression of an erased person',
      positionals: { erasure: { type: 'integer', required: true, describe: 'Erasure ID from `privacy list`' } },
      options: { yes: YES },
      load: async () => (await import('./lift.ts')).lift,
    }),
  ],
}
