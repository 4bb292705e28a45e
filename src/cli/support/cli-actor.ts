import { hostname, userInfo } from 'node:os'
import type { Actor } from '../../audit/audit-log.ts'

/** The operating system user of a command, as the audit log names it. */
export function cliActor(): Actor {
  return { name: `user:${userName()}`, keyId: null, address: hostname() }
}

/** A container may run under a user ID without a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
