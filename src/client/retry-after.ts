import type { Reply } from './call.ts'
import { header } from './call.ts'

/** Milliseconds that `Retry-After` asks for, given in seconds or as a date; undefined when it is absent or unreadable. */
export function retryAfterOf(reply: Reply, now = Date.now()): number | undefined {
  const text = header(reply, 'retry-after')?.trim()
  if (!text) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now)
}
