import { Writable } from 'node:stream'
import fc from 'fast-check'
import { createLogger } from '../../src/lib/logger.ts'
import type { GeneratedRequest } from './generated-requests.ts'
import { anyRequest } from './generated-requests.ts'
import type { TestService } from './service.ts'
import { startService } from './service.ts'

const CONCURRENCY = 10

export interface FuzzResult {
  /** Seed that reproduces the requests. */
  seed: number
  /** Number of responses by status. */
  statuses: Record<string, number>
  /** Requests whose response has a 5xx status, an undocumented status or an invalid body. */
  failures: string[]
}

/** Sends generated requests to the service and validates each response against the contract. */
export async function fuzzService(requests: number, seed = Date.now() % 2 ** 31): Promise<FuzzResult> {
  const logged: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk))
      done()
    },
  })
  await using service = await startService({
    log: createLogger('error', sink),
    plan: { units_per_period: 500, reads_per_minute: 1_000_000_000, submits_per_minute: 1_000_000_000 },
  })
  const result: FuzzResult = { seed, statuses: {}, failures: [] }
  const generated = fc.sample(anyRequest(service.document), { numRuns: requests, seed })
  while (generated.length > 0) {
    const batch = generated.splice(0, CONCURRENCY)
    await Promise.all(batch.map((request) => sendRequest(service, request, result)))
  }
  if (result.failures.length > 0) result.failures.push(...logged.slice(0, 20))
  return result
}

async function sendRequest(
  service: TestService,
  request: GeneratedRequest,
  { statuses, failures }: FuzzResult,
): Promise<void> {
  const { method, path, ...input } = request
  try {
    const { status, body } = await service.call(method, path, input)
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status >= 500) failures.push(`${status} ${JSON.stringify(request)} -> ${JSON.stringify(body)}`)
  } catch (error) {
    failures.push(`${String(error)}: ${JSON.stringify(request)}`)
  }
}
