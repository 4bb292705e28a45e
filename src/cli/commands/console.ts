import { signInLink } from '../support/console/sign-in-link.ts'
import { openService } from '../support/databases.ts'
import type { Handler } from '../support/definition.ts'
import { ensureMainClient } from '../support/main-client.ts'
import { serviceAddress } from '../support/service-key.ts'

/** Prints a sign-in link. The name `console` would shadow the global object. */
export const printConsoleLink: Handler = async (command) => {
  await using service = await openService(command)
  await ensureMainClient(service.db)
  const link = await signInLink(service.db, serviceAddress(command))
  command.out.result({ url: link }, () => `${link}\nThe link signs you in once, within 30 minutes.`)
}
