import type { CommandModule } from 'yargs'
import yargs from 'yargs'
import { hideBin } from 'yargs/helpers'
import { backfillCommand } from './backfill.ts'
import { checksCommand } from './checks.ts'
import { clientsCommand } from './clients.ts'
import { companyCommand } from './company.ts'
import { demoCommand } from './demo.ts'
import { EXIT } from './exit-codes.ts'
import { firmsCommand } from './firms.ts'
import { keysCommand } from './keys.ts'
import { migrateCommand } from './migrate.ts'
import { privacyCommand } from './privacy.ts'
import { psqlCommand } from './psql.ts'
import { queryCommand } from './query.ts'
import { runCommand } from './run.ts'
import { runsCommand } from './runs.ts'
import { scheduleCommand } from './schedule.ts'
import { serveCommand } from './serve.ts'
import { snapshotCommand } from './snapshot.ts'
import { statusCommand } from './status.ts'
import { talCommand } from './tal.ts'
import { taskCommand } from './task.ts'
import { unitsCommand } from './units.ts'
import { upCommand } from './up.ts'
import { repairCommand, verifyCommand } from './verify.ts'
import { webhooksCommand } from './webhooks.ts'
import { workCommand } from './work.ts'

/** Every command, one file each, in the order in which the help shows them. */
const COMMANDS = [
  upCommand,
  serveCommand,
  workCommand,
  scheduleCommand,
  demoCommand,
  migrateCommand,
  runCommand,
  runsCommand,
  statusCommand,
  backfillCommand,
  checksCommand,
  verifyCommand,
  repairCommand,
  snapshotCommand,
  queryCommand,
  psqlCommand,
  companyCommand,
  talCommand,
  firmsCommand,
  taskCommand,
  clientsCommand,
  keysCommand,
  privacyCommand,
  unitsCommand,
  webhooksCommand,
] as CommandModule[]

await yargs(hideBin(process.argv))
  .scriptName('talhouse')
  .usage('$0 <command>\n\nA self-hosted enrichment service, and the warehouse that is kept in step with it.')
  .command(COMMANDS)
  .option('json', { type: 'boolean', describe: 'Print the result as JSON', global: true })
  .completion('completion', 'Print a completion script for your shell')
  .demandCommand(1, 'Say what to do: `talhouse --help` lists the commands.')
  .recommendCommands()
  .strict()
  .exitProcess(false)
  .fail((message, error, parser) => {
    if (error) throw error
    process.stderr.write(`talhouse: ${message}\n\n`)
    parser.showHelp('error')
    process.exitCode = EXIT.usage
  })
  .wrap(Math.min(110, process.stdout.columns ?? 110))
  .version()
  .help()
  .parseAsync()
