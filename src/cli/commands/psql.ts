import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { systemCode } from '../../lib/errors.ts'
import { analystAddress } from '../support/access/analyst-login.ts'
import { openWarehouse } from '../support/databases.ts'
import type { Handler } from '../support/definition.ts'
import { EXIT } from '../support/exit-codes.ts'

export const psql: Handler<{ owner: boolean }> = async (command, { owner }) => {
  await using warehouse = await openWarehouse(command)
  const address = owner ? warehouse.urls.owner : await analystAddress(warehouse)
  if (command.json) {
    command.out.result({ address }, () => '')
    return EXIT.done
  }
  // Other users on the host can read a process's arguments, but not its environment.
  const { password, url } = withoutPassword(address)
  // biome-ignore lint/style/noProcessEnv: psql runs with the caller's environment
  const child = spawn('psql', [url], { stdio: 'inherit', env: { ...process.env, PGPASSWORD: password } })
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

function withoutPassword(address: string): { url: string; password: string } {
  const url = new URL(address)
  const password = decodeURIComponent(url.password)
  url.password = ''
  return { url: url.href, password }
}
