import { setTimeout as wait } from 'node:timers/promises'

/** Submissions at a constant rate to all hosts in turn. */
export interface SteadyLoad {
  /** Task IDs by idempotency key. */
  readonly accepted: ReadonlyMap<string, string>
  /** Submissions that no host accepted. */
  readonly refused: readonly string[]
  /** Waits for the submissions in progress. */
  end(): Promise<void>
}

/** Timeout of one request in milliseconds. After this long, a load balancer would fail over to another host. */
const REQUEST_MS = 3000
/** Milliseconds for which a failed host is skipped. */
const SKIP_MS = 10_000
/** Timeout of one submission in milliseconds, across all hosts. */
const SUBMISSION_MS = 60_000

export interface SteadyLoadOptions {
  urls: readonly string[]
  apiKey: string
  perSecond: number
  /** Prefix of the idempotency keys and domains. */
  prefix: string
}

/**
 * Submits a company every `1 / perSecond` seconds, without waiting for earlier submissions. Like a load balancer, tries
 * the next host with the same idempotency key if one does not respond with 2xx. A failed host is skipped for a while and
 * then receives one request, which decides whether it is used again.
 */
export function startSteadyLoad({ urls, apiKey, perSecond, prefix }: SteadyLoadOptions): SteadyLoad {
  const accepted = new Map<string, string>()
  const refused: string[] = []
  const pending = new Set<Promise<void>>()
  const skippedUntil = new Map<string, number>()
  const started = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    // Sends all submissions that are due, because timers fire late on a busy machine.
    for (; sent < ((performance.now() - started) / 1000) * perSecond; sent += 1) {
      const submission = submit(sent).finally(() => pending.delete(submission))
      pending.add(submission)
    }
  }, 20)

  async function submit(index: number): Promise<void> {
    const key = `${prefix}-${index}`
    const deadline = performance.now() + SUBMISSION_MS
    let reason = ''
    for (let attempt = 0; performance.now() < deadline; attempt += 1) {
      if (attempt > 0 && attempt % urls.length === 0) await wait(500)
      const url = nextHost(index + attempt)
      try {
        const reply = await fetch(`${url}/v2/enrich/company`, {
          method: 'POST',
          headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify({ domain: `${key}.example` }),
          signal: AbortSignal.timeout(REQUEST_MS),
        })
        const body = (await reply.json()) as Record<string, unknown>
        if (reply.ok) {
          skippedUntil.delete(url)
          return void accepted.set(key, String(body['task_id']))
        }
        reason = `${reply.status} ${String(body['detail'])}`
      } catch (error) {
        reason = String((error as Error).cause ?? error)
      }
      skippedUntil.set(url, performance.now() + SKIP_MS)
    }
    refused.push(`${key}: ${reason}`)
  }

  /** The host for this turn. Skipped hosts are used only if all hosts are skipped. */
  function nextHost(turn: number): string {
    const healthy = urls.filter((url) => (skippedUntil.get(url) ?? 0) < performance.now())
    const usable = healthy.length > 0 ? healthy : urls
    const url = usable[turn % usable.length] as string
    if (skippedUntil.has(url)) skippedUntil.set(url, performance.now() + SKIP_MS)
    return url
  }

  return {
    accepted,
    refused,
    async end() {
      clearInterval(timer)
      await Promise.all(pending)
    },
  }
}
