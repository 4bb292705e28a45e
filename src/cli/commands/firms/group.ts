import type { Group } from '../../support/definition.ts'
import { command } from '../../support/definition.ts'
import { FORMAT, limit, SPREADSHEET } from '../../support/parameters.ts'

const files = (describe: string) => ({ type: 'string', required: true, array: true, describe }) as const

export const firms: Group = {
  name: 'firms',
  describe: 'Import SEC rosters and query firms',
  commands: [
    command({
      name: 'import',
      describe: 'Import SEC firm rosters (.csv, .txt, .zip) or the daily feed (.xml, .xml.gz)',
      createsDatabases: true,
      positionals: { files: files('Files, oldest first') },
      options: {
        'allow-gone': {
          type: 'string',
          describe: 'Mark up to this share of firms as gone, such as 25%, even if the file seems incomplete',
        },
        'as-of': { type: 'string', describe: 'Date of the file, YYYY-MM-DD, if the file does not contain a date' },
      },
      examples: [['firms import ia100322.zip', 'Import the roster of October 2022']],
      load: async () => (await import('./import.ts')).importFirms,
    }),
    command({
      name: 'undo-import',
      describe: 'Undo the latest roster import, for example after an import with the wrong date',
      load: async () => (await import('./undo-import.ts')).undoImport,
    }),
    command({
      name: 'import-schedules',
      describe: 'Import owners and officers (Schedules A and B) from SEC filing data files, in any order',
      positionals: { files: files('ADV_Filing_Data_*.zip; the last 14 months cover every firm') },
      load: async () => (await import('./import-schedules.ts')).importSchedules,
    }),
    command({
      name: 'query',
      describe: 'Select, filter and sort firms',
      options: {
        select: {
          type: 'string',
          array: 'commas',
          default: ['sec_number', 'crd_number', 'legal_name', 'region', 'state', 'employee_count', 'aum_total_usd'],
          describe: 'Fields',
        },
        filter: {
          type: 'string',
          array: true,
          default: [],
          describe: 'Filters, such as region=eq.NYRO or aum_total_usd=gte.1000000000',
        },
        order: { type: 'string', default: 'sec_number.desc', describe: 'FIELD.asc or FIELD.desc' },
        limit: limit(25),
        all: { type: 'boolean', default: false, describe: 'Return all matching firms' },
        format: FORMAT,
        spreadsheet: SPREADSHEET,
      },
      examples: [
        [
          'firms query --filter region=eq.NYRO --order aum_total_usd.desc',
          'List the largest firms of the New York region',
        ],
      ],
      load: async () => (await import('./query.ts')).query,
    }),
  ],
}
