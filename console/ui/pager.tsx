import { formatNumber } from '../lib/format.ts'

/** Where a page lies among all rows, and links to its neighbours. */
export function Pager({
  offset,
  shown,
  limit,
  total,
  isMinimum = false,
  href,
}: {
  offset: number
  shown: number
  limit: number
  total: number
  /** The total was not counted further. */
  isMinimum?: boolean
  href: (offset: number) => string
}) {
  if (total <= limit && offset === 0) return null
  const hasNext = isMinimum ? shown === limit : offset + shown < total
  return (
    <nav class="pager no-print" aria-label="Pages of the table">
      <span>
        {formatNumber(offset + 1)} to {formatNumber(offset + shown)} of {isMinimum ? 'more than ' : ''}
        {formatNumber(total)}
      </span>
      <span class="row">
        {offset > 0 && (
          <a class="button" href={href(Math.max(0, offset - limit))}>
            Previous
          </a>
        )}
        {hasNext && (
          <a class="button" href={href(offset + limit)}>
            Next
          </a>
        )}
      </span>
    </nav>
  )
}
