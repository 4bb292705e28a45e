import type { Parameter } from './definition.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** Kinds of names that change over time, so completion scripts read the names with `talhouse completion KIND`. */
export const LOOKUPS = ['clients', 'views'] as const
export type Lookup = (typeof LOOKUPS)[number]

export const CLIENT_ID = { type: 'string', required: true, completes: 'clients', describe: 'Client ID' } as const

export const DOMAIN = { type: 'string', required: true, describe: 'Domain, such as acme.com' } as const

export const DOMAINS = {
  type: 'string',
  required: true,
  array: true,
  describe: 'Domains or URLs',
} as const

/** A parameter that identifies a person; a name also requires `COMPANY`. */
export const PERSON = {
  type: 'string',
  required: true,
  describe: 'Email address, first 16 hex digits of its SHA-256, person_id, profile URL, or name with --company',
} as const

export const COMPANY = { type: 'string', describe: 'Domain of the company, required for a name' } as const

export const FORMAT = {
  type: 'string',
  choices: ['table', 'csv', 'json'],
  default: 'table',
  describe: 'Output format',
} as const

export const SPREADSHEET = {
  type: 'boolean',
  default: false,
  describe: 'With --format csv: escape cells that a spreadsheet would evaluate as formulas',
} as const

/** Defines `--limit` with the command's default. */
export const limit = <const Default extends number>(initial: Default) =>
  ({ type: 'integer', default: initial, describe: 'Maximum number of rows' }) as const satisfies Parameter

/** Options that every command accepts. `--help` and `--version` are handled before a command is parsed. */
export const GLOBAL_OPTIONS = {
  json: { type: 'boolean', default: false, describe: 'Print the result as JSON' },
} as const
