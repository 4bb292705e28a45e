/** A minimal yargs program with three commands: the baseline for the command line's startup time. */
import yargs from 'yargs'
import { hideBin } from 'yargs/helpers'

await yargs(hideBin(process.argv))
  .scriptName('bare')
  .command('up', 'Start everything', {}, () => undefined)
  .command('run <pipelines..>', 'Run pipelines', {}, () => undefined)
  .command('status', 'Show the state', {}, () => undefined)
  .version('0.2.0')
  .demandCommand(1)
  .strict()
  .parseAsync()
