import { useState } from 'preact/hooks'
import { formatField } from '../../lib/format.ts'
import { identity } from '../../lib/session.ts'
import { useQuery } from '../../lib/use-query.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Badge, Empty } from '../../ui/feedback.tsx'
import { Card, Loaded, Page } from '../../ui/page.tsx'
import { Copy } from '../../ui/text.tsx'
import type { Document, Operation } from './document.ts'
import { asCurl, operationsOf } from './document.ts'
import { OperationDetails } from './operation.tsx'

/** The operations of the API, from the service's OpenAPI document. */
export function Reference() {
  const { query, change } = useQuery()
  const document = useResource<Document>('/openapi.json')
  const [text, setText] = useState(query['search'] ?? '')
  const [isMine, setMine] = useState(false)
  const scopes = new Set<string>(identity.value?.scopes)
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = ({ method, path, summary, description, scopes: needed }: Operation) =>
    (!isMine || needed.every((scope) => scopes.has(scope))) &&
    words.every((word) => `${method} ${path} ${summary} ${description}`.toLowerCase().includes(word))
  return (
    <Page
      name="Reference"
      title="API reference"
      lead={
        <>
          Every action of the console is also available through the API. Copied commands read your key from
          TALHOUSE_SERVICE_API_KEY. The <a href="/guide">guide</a> explains more.
        </>
      }
    >
      <div class="toolbar no-print">
        <input
          type="search"
          class="input search"
          data-search
          aria-label="Search operations"
          placeholder="Search operations (press /)"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            change({ search: event.currentTarget.value }, true)
          }}
        />
        <label class="check">
          <input type="checkbox" checked={isMine} onChange={() => setMine(!isMine)} />
          Only operations that my key may use
        </label>
      </div>
      <Loaded resource={document} lines={12}>
        {(data) => {
          const found = operationsOf(data).filter(matches)
          if (found.length === 0) return <Empty title="No operation matches">Search for another word.</Empty>
          return [...Map.groupBy(found, ({ tag }) => tag)].map(([tag, operations]) => (
            <Card key={tag} title={formatField(tag)} flush>
              {operations.map((operation) => (
                <Entry
                  key={operation.operationId}
                  document={data}
                  operation={operation}
                  mayUse={operation.scopes.every((scope) => scopes.has(scope))}
                />
              ))}
            </Card>
          ))
        }}
      </Loaded>
    </Page>
  )
}

function Entry({ document, operation, mayUse }: { document: Document; operation: Operation; mayUse: boolean }) {
  const { method, path, summary, scopes } = operation
  const [isOpen, setOpen] = useState(false)
  const command = asCurl(document, operation, location.origin)
  return (
    <details class="operation" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code class="strong">{method}</code> <code>{path}</code> <span class="muted">{summary}</span>{' '}
        {scopes.length > 0 && <Badge tone={mayUse ? 'good' : 'idle'}>{scopes.join(', ')}</Badge>}
      </summary>
      {isOpen && (
        <div class="stack-small">
          <OperationDetails document={document} operation={operation} />
          <pre class="code">{command}</pre>
          <div>
            <Copy text={command} label={`Copy ${method} ${path} as curl`} />
          </div>
        </div>
      )}
    </details>
  )
}
