import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { systemCode } from '../../lib/errors.ts'
import { analystAddress } from '../support/analyst-address.ts'
import { openWarehouse } from '../support/databases.ts'
import type { Handler } from '../support/definition.ts'
import { EXIT } from '../support/exit-codes.ts'

export const psql: Handler<{ owner: boolean }> = async (command, { owner }) => {
  await using warehouse = await openWarehouse(command)
  const address = owner ? warehouse.url : await analystAddress(command, warehouse)
  if (command.json) {
    command.out.result({ address }, () => '')
    return EXIT.done
  }
  const child = spawn('psql', [address], { stdio: 'inherit' })
  try {
    const [code] = await once(child, 'exit')
    return code === 0 ? EXIT.done : EXIT.failed
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    command.out.note('psql is not installed. Open this address with any PostgreSQL client:')
    command.out.line(address)
    return EXIT.done
  }
}
