import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { freePort } from '../../../src/lib/embedded-postgres/free-port.ts'
import { eventually } from '../../helpers/eventually.ts'

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
  const dataDir = await mkdtemp(join(tmpdir(), 'talhouse-traces-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const env = {
    ...process.env,
    TALHOUSE_DATA_DIR: dataDir,
    TALHOUSE_HTTP_PORT: '0',
    TALHOUSE_POSTGRES_PORT: String(await freePort()),
    TALHOUSE_DEMO_COMPANIES: '3',
    TALHOUSE_LOG_LEVEL: 'error',
    TALHOUSE_TRACING_OTLP_URL: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  }
  const main = join(import.meta.dirname, '../../../bin/talhouse.js')
  const child = spawn(process.execPath, [main, 'up'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  stack.defer(() => void child.kill('SIGKILL'))
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += String(chunk)
  })
  await eventually('the first night ends', async () => printed.includes('Press Ctrl-C to stop'), 240)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited

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
      'run nightly > run firms > write page of firms',
      'run nightly > run firms > POST > POST /firms',
      'run nightly > run refresh-members > write member',
      expect.stringMatching(
        /^run nightly > run enrich-due > POST > POST \/v2\/\S+ > enrich company > provider website$/,
      ),
    ]),
  )
}, 300_000)
