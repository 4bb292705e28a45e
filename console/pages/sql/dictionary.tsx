import { useState } from 'preact/hooks'
import type { WarehouseDictionary } from '../../../src/contract/warehouse-query.ts'
import { Card } from '../../ui/page.tsx'

/** All tables and columns with their descriptions. Clicking a name adds it to the query. */
export function Dictionary({
  dictionary,
  onInsert,
}: {
  dictionary: WarehouseDictionary
  onInsert: (name: string) => void
}) {
  const [text, setText] = useState('')
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (...parts: (string | null)[]) => {
    const all = parts.join(' ').toLowerCase()
    return words.every((word) => all.includes(word))
  }
  const found = dictionary.tables.flatMap((table) => {
    if (matches(table.name, table.comment)) return [table]
    const columns = table.columns.filter(({ name, comment }) => matches(table.name, name, comment))
    return columns.length > 0 ? [{ ...table, columns }] : []
  })
  return (
    <aside class="no-print" aria-label="Data dictionary">
      <Card title="Tables">
        <div class="stack-small">
          <input
            type="search"
            class="input"
            aria-label="Search tables and columns"
            placeholder="Search tables and columns"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <div class="dictionary">
            {found.map(({ name, kind, comment, columns }) => (
              <details key={name} open={words.length > 0}>
                <summary>
                  <code>{name}</code> {kind === 'view' && <span class="faint">view</span>}
                </summary>
                <p class="muted">{comment}</p>
                <button type="button" class="button small" onClick={() => onInsert(`warehouse.${name}`)}>
                  Add warehouse.{name}
                </button>
                <dl>
                  {columns.map((column) => (
                    <div key={column.name}>
                      <dt>
                        <button type="button" class="link" onClick={() => onInsert(column.name)}>
                          <code>{column.name}</code>
                        </button>{' '}
                        <span class="faint">{column.type}</span>
                      </dt>
                      <dd class="muted">{column.comment}</dd>
                    </div>
                  ))}
                </dl>
              </details>
            ))}
            {found.length === 0 && <p class="muted">No table or column matches.</p>}
          </div>
        </div>
      </Card>
    </aside>
  )
}
