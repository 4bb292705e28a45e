import type { Handler } from '../support/definition.ts'
import type { Lookup, Shell } from '../support/parameters.ts'
import { LOOKUPS } from '../support/parameters.ts'

/**
 * Prints the names that a completion script offers. The scripts themselves are printed before any command runs, without
 * loading the settings.
 */
export const completion: Handler<{ for: Shell | Lookup }> = async ({ config, out }, { for: target }) => {
  const { readNames } = await import('../support/completed-names.ts')
  const kind = LOOKUPS.find((lookup) => lookup === target)
  const names = kind ? await readNames(config, kind) : []
  if (names.length > 0) out.line(names.join('\n'))
}
