/**
 * `npm run chaos -- hostile-web [site ...]`: enriches every hostile site together with regular companies. Prints the
 * outcome, time and requests of each site, the peak memory and the longest time the event loop was blocked. Fails if a
 * regular company is affected. Takes about 30 seconds.
 */
import { enrichHostileWeb } from './enrich-hostile-web.ts'

const names = process.argv.slice(2)
const { sites, honest, memory, leaked, longestBlock } = await enrichHostileWeb(names.length > 0 ? { names } : {})
for (const { name, status, reason, seconds, requests } of sites.toSorted((a, b) => b.seconds - a.seconds))
  console.log(
    `${name.padEnd(24)} ${status.padEnd(12)} ${seconds.toFixed(1).padStart(5)} s, ${String(requests).padStart(3)} requests; ${(reason ?? '').slice(0, 110)}`,
  )
console.log(
  `${sites.length} hostile sites; ${honest.unharmed} of ${honest.companies} honest companies unaffected, the slowest in ${honest.slowest.toFixed(1)} s`,
)
console.log(`peak memory ${memory.toFixed(0)} MB above the start; longest block ${longestBlock.toFixed(0)} ms`)
const MAX_BLOCKED_MS = 1000
if (longestBlock > MAX_BLOCKED_MS) console.log(`FAILED: the event loop was blocked for more than ${MAX_BLOCKED_MS} ms`)
if (leaked > 0) console.log(`FAILED: ${leaked} requests reached a private address`)
if (leaked > 0 || honest.unharmed < honest.companies || longestBlock > MAX_BLOCKED_MS) process.exitCode = 1
