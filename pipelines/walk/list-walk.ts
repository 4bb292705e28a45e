import { isRejectedRequest } from '../host/app-error.ts'
import type { TotalKind } from '../host-profile/profile.ts'
import type { ReplyCount, ReplyTotals } from './reply-totals.ts'

/**
 * A page as the host sent it. The response's `limit` and `offset` are ignored, because some hosts only echo the
 * request.
 */
export interface WalkPage {
  items: readonly unknown[]
  total: unknown
  /** The cursor of the next page. Undefined on the last page and for a host without cursors. */
  next?: string | undefined
}

export type FetchPage = (query: { limit?: number; offset?: number; cursor?: string }) => Promise<WalkPage>

/** The position at which a walk by cursor can be resumed, and the responses so far. */
export interface CursorPosition {
  cursor: string
  limit: number
  received: number
  replies: ReplyCount[]
}

/** Processes a page. `next` is the position after it, if the host uses cursors. Returns whether it had new items. */
export type TakePage = (page: WalkPage, next: CursorPosition | undefined) => Promise<boolean>

export interface ListWalkOptions {
  /** Limits to try in this order, because a host may reject a large limit. 0 means that no limit is sent. */
  limits: readonly number[]
  /** Whether the host's totals count all items or only the items on the page. Undefined if not known yet. */
  totals: TotalKind | undefined
  /** Returns an item's key, which is used to detect the overlap between two pages. */
  keyOf(item: unknown): unknown
  /** Name of the list in messages, such as `the list of people at acme.example`. */
  name: string
  nouns: string
  /** Position at which to resume an earlier walk. @default the first page */
  from?: CursorPosition | undefined
}

/** The result of one pull. */
export interface ListWalk {
  /** Whether the host paginates the list. If not, repeating the pull would not change the result. */
  isPaged: boolean
  /** Number of items received, not counting the overlap between pages. */
  received: number
  /** Total number of items, if the host reports it in every response. */
  total: number | undefined
  /**
   * Reasons that completeness could not be verified. The caller additionally compares the total with the number of
   * items.
   */
  incomplete_reasons: string[]
  /**
   * Whether items may be missing without being detected by the total, which additions and removals can leave unchanged.
   * True for walks by cursor, because pages do not overlap.
   */
  mayMissItems: boolean
  /** The limit that the host accepted. 0 means that none was sent. */
  limit: number
  totals: TotalKind | undefined
}

/** State shared by the pagination methods. */
export interface Step {
  walk: ListWalk
  first: WalkPage
  /** Page size to request. */
  asked: number
  fetch: FetchPage
  take: TakePage
  pages: ReplyTotals
  options: ListWalkOptions
}

/** Returns undefined if the host rejected the parameters of the request. Throws any other error. */
export function undefinedIfRejected(error: unknown): undefined {
  if (isRejectedRequest(error)) return undefined
  throw error
}
