import { VERIFIABLE } from '../../pipelines/compare/difference.ts'
import { alerts } from './commands/alerts/group.ts'
import { analyst } from './commands/analyst/group.ts'
import { audit } from './commands/audit/group.ts'
import { backfill } from './commands/backfill/group.ts'
import { backup } from './commands/backup/group.ts'
import { clients } from './commands/clients/group.ts'
import { company } from './commands/company/group.ts'
import { firms } from './commands/firms/group.ts'
import { keys } from './commands/keys/group.ts'
import { privacy } from './commands/privacy/group.ts'
import { runs } from './commands/runs/group.ts'
import { snapshot } from './commands/snapshot/group.ts'
import { tal } from './commands/tal/group.ts'
import { task } from './commands/task/group.ts'
import { units } from './commands/units/group.ts'
import { webhooks } from './commands/webhooks/group.ts'
import type { Definition, Group } from './support/definition.ts'
import { command } from './support/definition.ts'
import { FORMAT, LOOKUPS, SHELLS, SPREADSHEET } from './support/parameters.ts'
import { COLUMN_OPTIONS, MATCH_OPTIONS } from './support/sheet-options.ts'

const DATASET = { type: 'string', choices: VERIFIABLE, required: true, describe: 'Data to compare' } as const

/**
 * All commands, in the order in which help lists them. A command's implementation is imported only when the command
 * runs.
 */
export const COMMANDS: readonly (Definition | Group)[] = [
  command({
    name: 'up',
    describe: 'Run the database, service, worker and scheduler in one process',
    createsDatabases: true,
    load: async () => (await import('./commands/up.ts')).up,
  }),
  command({
    name: 'serve',
    describe: 'Serve the HTTP API',
    createsDatabases: true,
    load: async () => (await import('./commands/serve.ts')).serve,
  }),
  command({
    name: 'console',
    describe: 'Print a one-time link that signs you in to the console',
    load: async () => (await import('./commands/console.ts')).printConsoleLink,
  }),
  command({
    name: 'work',
    describe: 'Run enrichment tasks and deliver webhooks',
    createsDatabases: true,
    load: async () => (await import('./commands/work.ts')).work,
  }),
  command({
    name: 'schedule',
    describe: 'Run pipelines on schedule',
    createsDatabases: true,
    load: async () => (await import('./commands/schedule.ts')).schedule,
  }),
  command({
    name: 'demo',
    describe: 'Serve the websites of invented companies on localhost',
    options: {
      companies: { type: 'integer', max: 100_000, default: 40, describe: 'Number of companies' },
      seed: { type: 'integer', min: 0, default: 1, describe: 'Random seed' },
      port: {
        type: 'integer',
        min: 0,
        max: 65_535,
        default: 8099,
        describe: 'Port on 127.0.0.1; 0 selects a free port',
      },
    },
    load: async () => (await import('./commands/demo.ts')).demo,
  }),
  command({
    name: 'doctor',
    describe: 'Check this host, the databases, the service and the snapshot destination',
    createsDatabases: true,
    load: async () => (await import('./commands/doctor.ts')).doctor,
  }),
  command({
    name: 'enrich',
    describe: 'Enrich the companies in a CSV file: match, quote, confirm, and write the results to another file',
    positionals: { file: { type: 'string', required: true, describe: 'CSV file with a header row' } },
    options: {
      out: { type: 'string', required: true, describe: 'File to write; rows without a company go to a second file' },
      leadership: { type: 'boolean', default: false, describe: 'Include leadership (5 additional units per company)' },
      signals: { type: 'boolean', default: false, describe: 'Include signals (3 additional units per company)' },
      'max-units': { type: 'integer', describe: 'Maximum number of units to spend' },
      ...COLUMN_OPTIONS,
      ...MATCH_OPTIONS,
    },
    examples: [
      [
        'enrich accounts.csv --out enriched.csv --leadership',
        'Enrich after confirmation; repeat the command to resume',
      ],
    ],
    load: async () => (await import('./commands/enrich.ts')).enrichFile,
  }),
  command({
    name: 'mcp',
    describe: 'Serve the API to an assistant over the Model Context Protocol, on stdin and stdout',
    options: {
      port: {
        type: 'integer',
        min: 0,
        max: 65_535,
        describe: 'Serve Streamable HTTP on this port instead of stdio; each request must include an API key',
      },
      host: { type: 'string', default: '127.0.0.1', describe: 'Address to listen on, with --port' },
    },
    load: async () => (await import('./commands/mcp.ts')).mcp,
  }),
  command({
    name: 'migrate',
    describe: 'Apply pending schema migrations to both databases',
    createsDatabases: true,
    options: {
      plan: {
        type: 'boolean',
        default: false,
        describe: 'Print pending migrations and their locks without applying them',
      },
    },
    load: async () => (await import('./commands/migrate.ts')).migrate,
  }),
  command({
    name: 'run',
    describe: 'Run pipelines now, one after the other',
    createsDatabases: true,
    positionals: {
      pipelines: { type: 'string', required: true, array: true, completes: 'pipelines', describe: 'Pipeline names' },
    },
    epilogue: async () => (await import('./support/list-pipelines.ts')).listPipelines(),
    load: async () => (await import('./commands/run.ts')).run,
  }),
  runs,
  command({
    name: 'status',
    describe: 'Show the latest run of each pipeline and the next scheduled run',
    load: async () => (await import('./commands/status.ts')).status,
  }),
  alerts,
  backfill,
  command({
    name: 'checks',
    describe: 'Check warehouse invariants and list violations',
    load: async () => (await import('./commands/checks.ts')).checks,
  }),
  command({
    name: 'verify',
    describe: 'Compare the warehouse with the service and list differences',
    positionals: { dataset: DATASET },
    options: {
      quick: { type: 'boolean', default: false, describe: 'Compare row counts by key range first (firms only)' },
      sample: { type: 'integer', describe: 'Maximum number of members to compare (members and history only)' },
    },
    load: async () => (await import('./commands/verify.ts')).verify,
  }),
  command({
    name: 'repair',
    describe: 'Refetch the records that differed in the latest comparison',
    positionals: { dataset: { ...DATASET, describe: 'Data to repair' } },
    load: async () => (await import('./commands/repair.ts')).repair,
  }),
  command({
    name: 'replay',
    describe: 'Re-translate stored member records or history events without refetching them',
    positionals: {
      dataset: { type: 'string', choices: ['members', 'history'], required: true, describe: 'Data to translate' },
    },
    load: async () => (await import('./commands/replay.ts')).replay,
  }),
  snapshot,
  backup,
  command({
    name: 'query',
    describe: 'Run a read-only SQL query against the warehouse',
    positionals: {
      sql: {
        type: 'string',
        required: true,
        completes: 'views',
        describe: 'One statement, or the name of a table or view such as warehouse.run_status',
      },
    },
    options: { format: FORMAT, spreadsheet: SPREADSHEET },
    load: async () => (await import('./commands/query.ts')).query,
  }),
  command({
    name: 'psql',
    describe: 'Open the warehouse in psql, or print its address if psql is not installed',
    options: {
      owner: {
        type: 'boolean',
        default: false,
        describe: 'Connect as the owner (read-write) instead of as an analyst',
      },
    },
    load: async () => (await import('./commands/psql.ts')).psql,
  }),
  analyst,
  company,
  tal,
  firms,
  task,
  clients,
  keys,
  privacy,
  units,
  webhooks,
  audit,
  command({
    name: 'completion',
    describe: 'Print a shell completion script',
    positionals: {
      for: {
        type: 'string',
        choices: [...SHELLS, ...LOOKUPS],
        required: true,
        describe: 'Shell; `clients` and `views` print the names offered for completion',
      },
    },
    load: async () => (await import('./commands/completion.ts')).completion,
  }),
]
