import type { Parameters } from './definition.ts'

/** Options for commands that match the rows in a file. */
export const MATCH_OPTIONS = {
  'domain-column': { type: 'string', describe: 'Heading of the domain column [default: found by heading or values]' },
  'name-column': { type: 'string', describe: 'Heading of the name column [default: found by heading]' },
  'include-doubtful': { type: 'boolean', default: false, describe: 'Use the most likely company for doubtful rows' },
  yes: { type: 'boolean', default: false, describe: 'Do not ask for confirmation' },
} as const satisfies Parameters

export interface MatchArguments {
  'domain-column': string | undefined
  'name-column': string | undefined
  'include-doubtful': boolean
  yes: boolean
}

/** Options for commands that write company fields. */
export const COLUMN_OPTIONS = {
  fields: {
    type: 'string',
    describe: 'Company fields, separated by commas [default: name, industry, headcount, place, status]',
  },
  provenance: { type: 'boolean', default: false, describe: 'Add the source and confidence of each field' },
} as const satisfies Parameters
