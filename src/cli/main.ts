import type { CommandModule } from 'yargs'
import yargs from 'yargs'
import { hideBin } from 'yargs/helpers'
import { createUsageErrors } from './usage-errors.ts'

/** Every command, one file each, in the order in which the help shows them. */
const COMMANDS: Record<string, () => Promise<object>> = {
  up: async () => (await import('./up.ts')).upCommand,
  serve: async () => (await import('./serve.ts')).serveCommand,
  work: async () => (await import('./work.ts')).workCommand,
  schedule: async () => (await import('./schedule.ts')).scheduleCommand,
  demo: async () => (await import('./demo.ts')).demoCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  run: async () => (await import('./run.ts')).runCommand,
  runs: async () => (await import('./runs.ts')).runsCommand,
  status: async () => (await import('./status.ts')).statusCommand,
  backfill: async () => (await import('./backfill.ts')).backfillCommand,
  checks: async () => (await import('./checks.ts')).checksCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  repair: async () => (await import('./verify.ts')).repairCommand,
  snapshot: async () => (await import('./snapshot.ts')).snapshotCommand,
  query: async () => (await import('./query.ts')).queryCommand,
  psql: async () => (await import('./psql.ts')).psqlCommand,
  company: async () => (await import('./company.ts')).companyCommand,
  tal: async () => (await import('./tal.ts')).talCommand,
  firms: async () => (await import('./firms.ts')).firmsCommand,
  task: async () => (await import('./task.ts')).taskCommand,
  clients: async () => (await import('./clients.ts')).clientsCommand,
  keys: async () => (await import('./keys.ts')).keysCommand,
  privacy: async () => (await import('./privacy.ts')).privacyCommand,
  units: async () => (await import('./units.ts')).unitsCommand,
  webhooks: async () => (await import('./webhooks.ts')).webhooksCommand,
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
