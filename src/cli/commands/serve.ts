import { once } from 'node:events'
import type { CommandModule } from 'yargs'
import type { CommonArguments } from '../support/command.ts'
import { run } from '../support/command.ts'
import { openService } from '../support/databases.ts'
import { openHttpService } from '../support/http-service.ts'

export const serveCommand: CommandModule<object, CommonArguments> = {
  command: 'serve',
  describe: 'Serve the interface over HTTP until stopped',
  handler: run(async (command) => {
    const { config, out, signal } = command
    await using service = await openService(command, { statementTimeout: config.service.statement_timeout_ms })
    await using server = await openHttpService(command, service)
    out.result(
      { url: server.url },
      () => `Serving at ${server.url}. Ctrl-C stops it; ${server.url}/docs tells what there is.`,
    )
    if (!signal.aborted) await once(signal, 'abort')
    return undefined
  }),
}
