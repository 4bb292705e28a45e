import { hostname, userInfo } from 'node:os'
import type { Actor } from '../../audit/audit-log.ts'

/** Returns the operating system user who runs a command, as recorded in the audit log. */
export function cliActor(): Actor {
  return { name: `user:${userName()}`, keyId: null, address: hostname() }
}

/** The user's name, or the user ID if the user has no name, as in some containers. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
