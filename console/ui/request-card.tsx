import { printable } from '../lib/format.ts'
import { Card } from './page.tsx'
import { Copy } from './text.tsx'

/** Maximum number of characters shown; the button copies the whole text. */
const SHOWN = 20_000

/** The body of a request as JSON, with a button to copy it. */
export const RequestCard = ({ body }: { body: unknown }) => (
  <Card title="Request" aside={<Copy text={JSON.stringify(body)} label="Copy the request" />}>
    <pre class="code">{printable(JSON.stringify(body, null, 2)).slice(0, SHOWN)}</pre>
  </Card>
)
