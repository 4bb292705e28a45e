import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'
import { DOMAIN } from '../../support/parameters.ts'

const flag = (describe: string) => ({ type: 'boolean', default: false, describe }) as const

export const company: Group = {
  name: 'company',
  describe: 'Show and enrich companies',
  commands: [
    command({
      name: 'show',
      describe: 'Show a company: fields with confidence and source, people, signals and recent changes',
      positionals: { domain: DOMAIN },
      examples: [['company show acme.com', 'Show everything known about a company']],
      load: async () => (await import('./show.ts')).showCompany,
    }),
    command({
      name: 'enrich',
      describe: 'Enrich a company now: 1 unit, or 9 with leadership and signals; free if its data is fresh',
      positionals: { domain: DOMAIN },
      options: {
        leadership: flag('Include leadership (5 units)'),
        signals: flag('Include signals (3 units)'),
        force: flag('Enrich even if the data is fresh'),
      },
      examples: [['company enrich acme.com --leadership --signals', 'Enrich a company with leadership and signals']],
      load: async () => (await import('./enrich.ts')).enrichCompany,
    }),
  ],
}
