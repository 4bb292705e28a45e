import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { CommandModule } from 'yargs'
import { systemCode } from '../../lib/errors.ts'
import { analystAddress } from '../support/analyst-address.ts'
import type { CommonArguments } from '../support/command.ts'
import { run } from '../support/command.ts'
import { openWarehouse } from '../support/databases.ts'
import { EXIT } from '../support/exit-codes.ts'

export const psqlCommand: CommandModule<object, CommonArguments & { owner: boolean }> = {
  command: 'psql',
  describe: 'Open the warehouse in psql, or print its address where there is no psql',
  builder: (cli) =>
    cli.option('owner', {
      type: 'boolean',
      default: false,
      describe: 'As the owner, who may write, instead of as an analyst',
    }),
  handler: run(async (command, args) => {
    await using warehouse = await openWarehouse(command)
    const address = args.owner ? warehouse.url : await analystAddress(command, warehouse)
    if (command.json) {
      command.out.result({ address }, () => '')
      return undefined
    }
    const child = spawn('psql', [address], { stdio: 'inherit' })
    try {
      const [code] = await once(child, 'exit')
      return code === 0 ? EXIT.done : EXIT.failed
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error
      command.out.note('psql is not installed here. Any PostgreSQL client opens this address:')
      command.out.line(address)
      return undefined
    }
  }),
}
