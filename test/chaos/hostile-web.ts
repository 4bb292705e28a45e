/**
 * `npm run chaos -- hostile-web [site ...]`: enriches every hostile site together with regular companies. Prints the
 * outcome, time and requests of each site, the CPU time of its readings, the peak memory and the longest block of the
 * event loop. Fails if a regular company is affected, a request reaches a private address, the worker's event loop is
 * blocked for more than 500 ms or a reader needs more than 5 s of CPU time for one page. Takes two minutes.
 */
import { enrichHostileWeb } from './enrich-hostile-web.ts'

const names = process.argv.slice(2)
const { sites, honest, memory, leaked, invented, longestBlock } = await enrichHostileWeb(
  names.length > 0 ? { names } : {},
)
for (const { name, status, reason, seconds, requests, pageCpu, siteCpu } of sites.toSorted(
  (a, b) => b.seconds - a.seconds,
))
  console.log(
    `${name.padEnd(30)} ${status.padEnd(12)} ${seconds.toFixed(1).padStart(5)} s, ${String(requests).padStart(3)} requests, reader ${pageCpu.toFixed(1)} s + ${siteCpu.toFixed(1)} s; ${(reason ?? '').slice(0, 110)}`,
  )
console.log(
  `${sites.length} hostile sites; ${honest.unharmed} of ${honest.companies} honest companies unaffected, the slowest in ${honest.slowest.toFixed(1)} s`,
)
console.log(`peak memory ${memory.toFixed(0)} MB above the start; longest block ${longestBlock.toFixed(0)} ms`)
const MAX_BLOCKED_MS = 500
/** Half of the default time limit of a reading. */
const MAX_PAGE_CPU = 5
const slow = sites.filter(({ pageCpu }) => pageCpu > MAX_PAGE_CPU)
const slowest = Math.max(...sites.map(({ pageCpu }) => pageCpu))
console.log(`slowest page: ${slowest.toFixed(1)} s of CPU time in the reader`)
if (slow.length > 0)
  console.log(`FAILED: pages need more than ${MAX_PAGE_CPU} s: ${slow.map(({ name }) => name).join(', ')}`)
if (longestBlock > MAX_BLOCKED_MS) console.log(`FAILED: the event loop was blocked for more than ${MAX_BLOCKED_MS} ms`)
if (invented > 0) console.log(`FAILED: ${invented} people were returned that only the language model named`)
if (leaked > 0) console.log(`FAILED: ${leaked} requests reached a private address`)
if (
  leaked > 0 ||
  invented > 0 ||
  slow.length > 0 ||
  honest.unharmed < honest.companies ||
  longestBlock > MAX_BLOCKED_MS
)
  process.exitCode = 1
