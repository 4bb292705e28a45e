import type { ComponentChildren } from 'preact'
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
    <PageLinks
      links={[
        offset > 0 && { name: 'Previous', href: href(Math.max(0, offset - limit)) },
        hasNext && { name: 'Next', href: href(offset + limit) },
      ]}
    >
      {formatNumber(offset + 1)} to {formatNumber(offset + shown)} of {isMinimum ? 'more than ' : ''}
      {formatNumber(total)}
    </PageLinks>
  )
}

interface PageLinksProps {
  links: readonly (false | { name: string; href: string })[]
  /** Description of the displayed page. */
  children?: ComponentChildren
}

/** Links to other pages of a table. */
export function PageLinks({ links, children }: PageLinksProps) {
  const available = links.filter((link) => link !== false)
  return available.length === 0 ? null : (
    <nav class="pager no-print" aria-label="Pages of the table">
      <span>{children}</span>
      <span class="row">
        {available.map(({ name, href }) => (
          <a key={name} class="button" href={href}>
            {name}
          </a>
        ))}
      </span>
    </nav>
  )
}
