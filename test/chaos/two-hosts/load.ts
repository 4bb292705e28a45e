import { setTimeout as wait } from 'node:timers/promises'

/** Customer requests sent to both hosts. */
export interface Load {
  /** IDs of the accepted tasks. */
  readonly accepted: string[]
  sent: number
  readonly failures: string[]
  send(path: string, init: RequestInit, turn: number): Promise<Record<string, unknown> | undefined>
  /** Stops the load after the requests in progress have ended. */
  end(): Promise<void>
}

const CUSTOMERS = 3
const PAUSE_MS = 300

/** Submits tasks and reads through both hosts in turn. Like a proxy, uses the other host if a connection is refused. */
export function startLoad(urls: readonly [string, string], key: string, domains: readonly string[]): Load {
  const ended = new AbortController()
  const load: Load = { accepted: [], sent: 0, failures: [], send, end }
  const customers = Array.from({ length: CUSTOMERS }, (_, name) => submit(name))
  return load

  async function end(): Promise<void> {
    ended.abort()
    await Promise.all(customers)
  }

  async function submit(name: number): Promise<void> {
    for (let count = 0; !ended.signal.aborted; count += 1) {
      const domain = domains[(count * CUSTOMERS + name) % domains.length] as string
      const headers = { 'idempotency-key': `load-${name}-${count}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ domain, force: true })
      const reply = await send('/v2/enrich/company', { method: 'POST', headers, body }, count)
      if (reply?.['task_id']) load.accepted.push(String(reply['task_id']))
      await send('/v2/usage', {}, count)
      await wait(PAUSE_MS)
    }
  }

  async function send(path: string, init: RequestInit, turn: number): Promise<Record<string, unknown> | undefined> {
    load.sent += 1
    for (const url of [urls[turn % 2], urls[(turn + 1) % 2]])
      try {
        const reply = await fetch(url + path, { ...init, headers: { ...init.headers, 'x-api-key': key } })
        if (!reply.ok) load.failures.push(`${path}: ${reply.status} ${await reply.clone().text()}`)
        return (await reply.json()) as Record<string, unknown>
      } catch (error) {
        if (((error as Error).cause as { code?: string } | undefined)?.code === 'ECONNREFUSED') continue
        load.failures.push(`${path}: ${(error as Error).cause ?? error}`)
        return undefined
      }
    load.failures.push(`${path}: no host`)
    return undefined
  }
}

/** Returns the number of tasks that do not end within five minutes. */
export async function unfinishedTasks({ accepted, send }: Load): Promise<number> {
  const open = new Set(accepted)
  for (const deadline = Date.now() + 300_000; open.size > 0 && Date.now() < deadline; await wait(500))
    for (const id of open) {
      const task = await send(`/v2/tasks/${id}`, {}, 0)
      if (['completed', 'failed'].includes(String(task?.['status']))) open.delete(id)
    }
  return open.size
}
