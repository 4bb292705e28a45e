import { formatNumber } from '../lib/format.ts'

/** Shows the page's position among all rows, and links to the previous and next page. */
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
  /** Whether `total` is a lower bound because counting stopped early. */
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
