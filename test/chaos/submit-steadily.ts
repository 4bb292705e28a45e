import { setTimeout as wait } from 'node:timers/promises'

/** Responses to continuous submissions during service failures. */
export interface Submissions {
  /** Accepted tasks: 2xx. */
  accepted: string[]
  /** Number of responses by status; `broken` counts requests without a response. */
  statuses: Record<string, number>
  /** Number of refusals other than a 5xx with a `detail`. */
  oddRefusals: string[]
  /** Distinct details of the refusals. */
  details: Set<string>
  /** Time of the last accepted submission (performance.now). */
  acceptedAt: number
}

export interface SubmitOptions {
  url: string
  key: string
  /** Number of concurrent submitters. */
  submitters: number
  /** Number of companies per submission. */
  companies?: number
  /** Prefix of the domain names, so that two loads do not overlap. */
  prefix: string
  signal: AbortSignal
}

/** Submits batches until the signal is aborted and records the responses in `submissions`. */
export async function submitSteadily(options: SubmitOptions, submissions: Submissions): Promise<void> {
  await Promise.all(Array.from({ length: options.submitters }, (_, name) => submitter(options, submissions, name)))
}

export const noSubmissions = (): Submissions => ({
  accepted: [],
  statuses: {},
  oddRefusals: [],
  details: new Set(),
  acceptedAt: 0,
})

async function submitter(options: SubmitOptions, submissions: Submissions, name: number): Promise<void> {
  const { url, key, companies = 1, prefix, signal } = options
  for (let count = 0; !signal.aborted; count += 1) {
    const domains = Array.from({ length: companies }, (_, index) => `${prefix}-${name}-${count}-${index}.example`)
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const reply = await fetch(`${url}/v2/enrich/batch`, { method: 'POST', headers, body: JSON.stringify({ domains }) })
      .then(async (answer) => ({ status: answer.status, body: (await answer.json()) as Record<string, unknown> }))
      .catch(() => undefined)
    note(submissions, reply)
    if (reply?.status !== 200) await wait(20)
  }
}

function note(submissions: Submissions, reply: { status: number; body: Record<string, unknown> } | undefined): void {
  const status = reply?.status ?? 'broken'
  submissions.statuses[status] = (submissions.statuses[status] ?? 0) + 1
  if (!reply) return
  const { task_id: taskId, detail } = reply.body
  if (reply.status === 200) {
    submissions.accepted.push(String(taskId))
    submissions.acceptedAt = performance.now()
    return
  }
  if (reply.status < 500 || typeof detail !== 'string')
    submissions.oddRefusals.push(`${reply.status} ${JSON.stringify(reply.body)}`)
  else submissions.details.add(detail)
}
