import type { ComponentChildren } from 'preact'
import { Card } from './page.tsx'

/** A column heading, optionally with the alignment or width of its cells. Only screen readers read hidden headings. */
export type Column = string | { name: string; as: 'num' | 'wide' | 'hidden' }

export const num = (name: string): Column => ({ name, as: 'num' })
export const wide = (name: string): Column => ({ name, as: 'wide' })
export const hidden = (name: string): Column => ({ name, as: 'hidden' })

/**
 * A table that scrolls horizontally if it is wider than the page. Without `columns`, the children contain the headings.
 */
export const TableFrame = ({
  label,
  columns,
  children,
}: {
  label: string
  columns?: readonly Column[]
  children: ComponentChildren
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it (axe: scrollable-region-focusable)
  <section class="table-frame" tabIndex={0} aria-label={label}>
    <table class="table" style={columns && { '--columns': widthOf(columns) }}>
      {columns && (
        <thead>
          <Headings columns={columns} />
        </thead>
      )}
      {children}
    </table>
  </section>
)

/** The width in columns; a wide column counts twice. */
const widthOf = (columns: readonly Column[]): number =>
  columns.length + columns.filter((column) => typeof column === 'object' && column.as === 'wide').length

/** A table with a heading. The children are its rows. */
export const TableCard = ({
  title,
  aside,
  label,
  columns,
  children,
}: {
  title: ComponentChildren
  aside?: ComponentChildren
  label: string
  columns: readonly Column[]
  children: ComponentChildren
}) => (
  <Card title={title} aside={aside} flush>
    <TableFrame label={label} columns={columns}>
      <tbody>{children}</tbody>
    </TableFrame>
  </Card>
)

/** The row of column headings. */
export const Headings = ({ columns }: { columns: readonly Column[] }) => <tr>{columns.map(heading)}</tr>

function heading(column: Column) {
  const { name, as } = typeof column === 'string' ? { name: column, as: undefined } : column
  return (
    <th scope="col" key={name} class={as === 'hidden' ? undefined : as}>
      {as === 'hidden' ? <span class="sr-only">{name}</span> : name}
    </th>
  )
}
