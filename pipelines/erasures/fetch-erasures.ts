import type { HostClient } from '../host/host-client.ts'
import type { AnyErasures } from '../host/replies.ts'

/** The warehouse's position in the feed. */
export interface FeedState {
  hmac_key: string
  position: number
}

/** Erasures after the warehouse's position. */
export interface FetchedErasures extends FeedState {
  erasures: AnyErasures['erasures']
  /** Whether the HMAC key has changed. If so, the feed belongs to another service and was read from the start. */
  isOtherService: boolean
}

/** Fetches the erasures after the position. Returns undefined if the host does not have the feed. */
export async function fetchErasures(
  client: Pick<HostClient, 'privacy'>,
  state: FeedState | undefined,
  signal: AbortSignal,
): Promise<FetchedErasures | undefined> {
  let page = await client.privacy.erasures({ since: state?.position ?? 0 }, signal)
  if (!page) return undefined
  const isOtherService = state !== undefined && state.hmac_key !== page.hmac_key
  if (isOtherService) page = await client.privacy.erasures({ since: 0 }, signal)
  const fetched: FetchedErasures = {
    hmac_key: page?.hmac_key ?? '',
    position: isOtherService ? 0 : (state?.position ?? 0),
    erasures: [],
    isOtherService,
  }
  for (; page && page.erasures.length > 0; page = await client.privacy.erasures({ since: fetched.position }, signal)) {
    const { position } = page.erasures.at(-1) as AnyErasures['erasures'][number]
    if (position <= fetched.position) break // the host ignores `since`
    fetched.position = position
    fetched.erasures.push(...page.erasures)
    if (page.erasures.length < page.limit) break
  }
  return fetched
}
