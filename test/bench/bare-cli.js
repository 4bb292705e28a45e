/** A bare yargs program with three commands, to compare the start of the command line with. */
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
