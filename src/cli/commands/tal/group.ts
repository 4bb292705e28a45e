import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'
import { DOMAINS, FORMAT } from '../../support/parameters.ts'
import { COLUMN_OPTIONS, MATCH_OPTIONS } from '../../support/sheet-options.ts'

export const tal: Group = {
  name: 'tal',
  describe: 'Manage the target account list',
  commands: [
    command({
      name: 'list',
      describe: 'Show the companies on a target account list',
      options: { format: FORMAT },
      load: async () => (await import('./list.ts')).list,
    }),
    command({
      name: 'add',
      describe: 'Add companies to the list',
      positionals: { domains: DOMAINS },
      options: { source: { type: 'string', describe: 'Tag for these companies' } },
      load: async () => (await import('./add.ts')).add,
    }),
    command({
      name: 'remove',
      describe: 'Remove companies from the list; their data is kept',
      positionals: { domains: DOMAINS },
      load: async () => (await import('./remove.ts')).remove,
    }),
    command({
      name: 'import',
      describe: 'Add companies from a CSV file, matched by domain or name; other columns become attributes',
      positionals: { file: { type: 'string', required: true, describe: 'CSV file with a header row' } },
      options: {
        ...MATCH_OPTIONS,
        source: { type: 'string', describe: 'Tag for these companies' },
        'dry-run': { type: 'boolean', default: false, describe: "Show each row's match without adding companies" },
      },
      examples: [
        ['tal import accounts.csv --dry-run', 'Show the company matched to each row'],
        ['tal import accounts.csv --source crm', 'Add the matched companies after confirmation'],
      ],
      load: async () => (await import('./import.ts')).importList,
    }),
    command({
      name: 'export',
      describe: 'Write the list, with attributes and enriched fields, to a CSV file',
      positionals: { file: { type: 'string', required: true, describe: 'File to write' } },
      options: {
        ...COLUMN_OPTIONS,
        attribute: { type: 'string', describe: 'Include only entries with this attribute, such as tier:A' },
      },
      examples: [['tal export list.csv --fields name,employee_count', 'Choose the fields']],
      load: async () => (await import('./export.ts')).exportTal,
    }),
    command({
      name: 'enrich',
      describe: 'Enrich the stale companies on the list, 1 unit each',
      options: {
        force: { type: 'boolean', default: false, describe: 'Include fresh companies' },
        'max-age-days': { type: 'number', max: 3650, describe: 'Age in days after which data is stale [default: 30]' },
        'dry-run': { type: 'boolean', default: false, describe: 'Show the cost without enriching' },
      },
      load: async () => (await import('./enrich.ts')).enrichList,
    }),
  ],
}
