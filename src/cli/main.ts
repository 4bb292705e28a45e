import type { CommandModule } from 'yargs'
import yargs from 'yargs'
import { hideBin } from 'yargs/helpers'
import { createUsageErrors } from './support/usage-errors.ts'

/** Every command, one file each, in the order in which the help shows them. */
const COMMANDS: Record<string, () => Promise<object>> = {
  up: async () => (await import('./commands/up.ts')).upCommand,
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  work: async () => (await import('./commands/work.ts')).workCommand,
  schedule: async () => (await import('./commands/schedule.ts')).scheduleCommand,
  demo: async () => (await import('./commands/demo.ts')).demoCommand,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  run: async () => (await import('./commands/run.ts')).runCommand,
  runs: async () => (await import('./commands/runs/group.ts')).runsCommand,
  status: async () => (await import('./commands/status.ts')).statusCommand,
  backfill: async () => (await import('./commands/backfill/group.ts')).backfillCommand,
  checks: async () => (await import('./commands/checks.ts')).checksCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  repair: async () => (await import('./commands/verify.ts')).repairCommand,
  snapshot: async () => (await import('./commands/snapshot/group.ts')).snapshotCommand,
  query: async () => (await import('./commands/query.ts')).queryCommand,
  psql: async () => (await import('./commands/psql.ts')).psqlCommand,
  company: async () => (await import('./commands/company/group.ts')).companyCommand,
  tal: async () => (await import('./commands/tal/group.ts')).talCommand,
  firms: async () => (await import('./commands/firms/group.ts')).firmsCommand,
  task: async () => (await import('./commands/task/group.ts')).taskCommand,
  clients: async () => (await import('./commands/clients/group.ts')).clientsCommand,
  keys: async () => (await import('./commands/keys/group.ts')).keysCommand,
  privacy: async () => (await import('./commands/privacy/group.ts')).privacyCommand,
  units: async () => (await import('./commands/units/group.ts')).unitsCommand,
  webhooks: async () => (await import('./commands/webhooks/group.ts')).webhooksCommand,
}

/** Only the command that was named, for what a command needs takes longer to load than many take to run; all, where none was. */
async function loadCommands(words: readonly string[]): Promise<CommandModule[]> {
  const name = words.find((word) => !word.startsWith('-')) ?? ''
  const isCommand = Object.hasOwn(COMMANDS, name) && !words.includes('--get-yargs-completions')
  const loaders = isCommand ? [COMMANDS[name]] : Object.values(COMMANDS)
  return (await Promise.all(loaders.map((load) => load?.()))) as CommandModule[]
}

const words = hideBin(process.argv)
const usageErrors = createUsageErrors()
await yargs(words)
  .scriptName('talhouse')
  .usage('$0 <command>\n\nA self-hosted enrichment service, and the warehouse that is kept in step with it.')
  .command(await loadCommands(words))
  .option('json', { type: 'boolean', describe: 'Print the result as JSON', global: true })
  .completion('completion', 'Print a completion script for your shell')
  .demandCommand(1, 'Say what to do: `talhouse --help` lists the commands.')
  .recommendCommands()
  .strict()
  .exitProcess(false)
  .fail(usageErrors.note)
  .wrap(Math.min(110, process.stdout.columns ?? 110))
  .version()
  .help()
  .parseAsync()
usageErrors.tell()
