/**
 * A stand-in for `POST /firms` that shares no code with the product: descending order, `eq` and `lt`, limits 25 and 50,
 * `total_count`. Tests inject faults request by request.
 */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type HostFirm = Record<string, unknown> & { sec_number: string }

export interface FirmRequest {
  /** Number of the request, starting at 1. */
  number: number
  select: string[]
  filters: Record<string, string>
  order: string
  limit: number
}

export type Fault =
  | { kind: 'status'; status: number; retryAfter?: string; body?: string }
  | { kind: 'slow'; milliseconds: number }
  | { kind: 'cut' } // sends half a body, then closes the connection
  | { kind: 'half' } // sends half a body with the length of that half as `content-length`
  | { kind: 'page'; change: (page: { data: unknown[]; total_count: unknown }) => unknown }

export interface FirmHost extends AsyncDisposable {
  url: string
  firms: HostFirm[]
  /** The `data_version` of pages. @default none, as on other services than talhouse */
  version?: string
  requests: FirmRequest[]
  /** Returns the fault to inject for a request, if any. */
  fault: (request: FirmRequest) => Fault | undefined
}

export interface FirmHostOptions {
  key?: string
  /** Negative when `a` sorts before `b`. @default byte order */
  compare?: (a: string, b: string) => number
  /** Accepted fields; others are rejected with 422. @default any */
  fields?: string[]
  /** Maximum number of rows per page. @default 50 */
  clamp?: number
}

const byteOrder = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

export async function startFirmHost(firms: HostFirm[], options: FirmHostOptions = {}): Promise<FirmHost> {
  const host: Omit<FirmHost, keyof AsyncDisposable> = { url: '', firms, requests: [], fault: () => undefined }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => reply(response, 500, { detail: String(error) }))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.headers['x-api-key'] !== (options.key ?? 'key'))
      return reply(response, 401, { detail: 'missing API key' })
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Partial<FirmRequest>
    const asked: FirmRequest = {
      number: host.requests.length + 1,
      select: body.select ?? [],
      filters: body.filters ?? {},
      order: body.order ?? 'sec_number.desc',
      limit: body.limit ?? 25,
    }
    host.requests.push(asked)
    const fault = host.fault(asked)
    if (fault?.kind === 'status') {
      if (fault.retryAfter) response.setHeader('retry-after', fault.retryAfter)
      response.statusCode = fault.status
      response.end(fault.body ?? JSON.stringify({ detail: `fault ${fault.status}`, request_id: `r${asked.number}` }))
      return
    }
    if (fault?.kind === 'slow') await new Promise((done) => setTimeout(done, fault.milliseconds))
    const unknown = asked.select.filter((name) => options.fields && !options.fields.includes(name))
    if (unknown.length > 0) return reply(response, 422, { detail: `unknown fields: ${unknown.join(', ')}` })
    const page = query(asked)
    if (fault?.kind === 'page') return reply(response, 200, fault.change(page))
    if (fault?.kind === 'cut' || fault?.kind === 'half') return half(response, JSON.stringify(page), fault.kind)
    reply(response, 200, page)
  }

  const compare = options.compare ?? byteOrder
  let sorted: { of: HostFirm[]; length: number; rows: HostFirm[] } | undefined
  function inOrder(): HostFirm[] {
    if (sorted?.of !== host.firms || sorted.length !== host.firms.length)
      sorted = {
        of: host.firms,
        length: host.firms.length,
        rows: [...host.firms].sort((a, b) => compare(b.sec_number, a.sec_number)),
      }
    return sorted.rows
  }

  function query({ select, filters, order, limit }: FirmRequest): { data: unknown[]; total_count: number } {
    if (order !== 'sec_number.desc') throw new Error(`this host orders by sec_number.desc only, not by ${order}`)
    const { sec_number: filter, ...others } = filters
    if (Object.keys(others).length > 0) throw new Error('this host filters by sec_number only')
    const rows = inOrder()
    let from = 0
    if (filter !== undefined) {
      if (!filter.startsWith('lt.')) throw new Error(`this host knows lt only, not ${filter}`)
      const below = filter.slice(3)
      let end = rows.length
      while (from < end) {
        const middle = (from + end) >> 1
        if (compare((rows[middle] as HostFirm).sec_number, below) < 0) end = middle
        else from = middle + 1
      }
    }
    const page = rows.slice(from, from + Math.min(limit, options.clamp ?? 50))
    const data = page.map((firm) =>
      Object.fromEntries(select.filter((name) => name in firm).map((name) => [name, firm[name]])),
    )
    return { data, total_count: rows.length - from, ...(host.version && { data_version: host.version }) }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(host, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

function half(response: ServerResponse, text: string, kind: 'cut' | 'half'): void {
  const part = text.slice(0, text.length / 2)
  const length = Buffer.byteLength(kind === 'cut' ? text : part)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
  if (kind === 'half') response.end(part)
  else response.write(part, () => response.destroy())
}
