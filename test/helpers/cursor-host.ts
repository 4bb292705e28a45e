import type { StrangeHost } from './strange-host.ts'
import { startStrangeHost } from './strange-host.ts'

export const PAGES = 5
export const PAGE = 4

export const memberName = (index: number): string => `company${String(index).padStart(2, '0')}.example`

/** A host that pages its list by cursor, with totals. */
export async function startCursorHost(): Promise<StrangeHost> {
  const host = await startStrangeHost()
  host.world.behavior.list = { pageSize: PAGE, cursors: true, total: true }
  for (let index = 0; index < PAGES * PAGE; index += 1) host.world.tal.push({ domain: memberName(index) })
  return host
}

export const isList = (request: string): boolean => request.startsWith('GET') && request.endsWith('/tal/companies')

/** Calls `work` before the response to each request for a page. `number` starts at 1. */
export function beforePages(host: StrangeHost, work: (number: number) => void): void {
  failPages(host, (number) => {
    work(number)
    return undefined
  })
}

/** Responds to requests for pages with the returned status. `number` starts at 1. */
export function failPages(host: StrangeHost, statusOf: (number: number) => number | undefined): void {
  let number = 0
  host.fault = (request) => {
    if (!isList(request)) return undefined
    number += 1
    const status = statusOf(number)
    return status === undefined ? undefined : { status }
  }
}

/** Responds with 500 to all requests after the first `pages` pages. */
export const failAfter = (host: StrangeHost, pages: number): void =>
  failPages(host, (number) => (number > pages ? 500 : undefined))

export const countListRequests = ({ requests }: StrangeHost): number => requests.filter(isList).length
