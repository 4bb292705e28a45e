import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { startTalhouseUp } from '../../helpers/talhouse-up.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  status: { code?: number }
}

interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] }
    scopeSpans: { spans: Span[] }[]
  }[]
}

it('traces a night from its run over the request, the task and the provider to the rows of the warehouse', async () => {
  await using stack = new AsyncDisposableStack()
  const exports: Export[] = []
  const collector = createServer(async (request, response) => {
    if (request.url === '/v1/traces') exports.push((await json(request)) as Export)
    response.setHeader('content-type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  stack.defer(() => void collector.close())
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  {
    // Stopping sends the last spans.
    await using _up = await startTalhouseUp({ TALHOUSE_TRACING_OTLP_URL: `http://127.0.0.1:${port}` })
  }

  expect(exports[0]?.resourceSpans[0]?.resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'talhouse' },
  })
  const spans = exports.flatMap((each) => each.resourceSpans).flatMap((each) => each.scopeSpans)
  const byId = new Map(spans.flatMap((each) => each.spans).map((span) => [span.spanId, span]))
  const pathOf = (span: Span): string[] => {
    const parent = byId.get(span.parentSpanId ?? '')
    return [...(parent ? pathOf(parent) : []), span.name]
  }
  const paths = new Set([...byId.values()].map((span) => pathOf(span).join(' > ')))
  expect([...paths]).toEqual(
    expect.arrayContaining([
      'run nightly > run firms > write pages of firms',
      'run nightly > run firms > POST > POST /firms',
      'run nightly > run refresh-members > write members',
      expect.stringMatching(
        /^run nightly > run enrich-due > POST > POST \/v2\/\S+ > enrich company > provider website$/,
      ),
    ]),
  )
}, 300_000)
