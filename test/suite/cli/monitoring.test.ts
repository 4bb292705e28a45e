import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { openCommandLine } from '../../helpers/command-line.ts'
import { eventually } from '../../helpers/eventually.ts'
import { startTalhouseUp } from '../../helpers/talhouse-up.ts'

const ROOT = join(import.meta.dirname, '../../..')
const DEPLOY = join(ROOT, 'deploy')
const RULES = join(DEPLOY, 'prometheus/alerts.yaml')
const hasPromtool = spawnSync('promtool', ['--version']).error === undefined

const read = (file: string): string => readFileSync(join(DEPLOY, file), 'utf8')

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

interface Rule {
  alert: string
  expr: string
}
const rules = (parse(read('prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((g) => g.rules)

/** Returns the names of the metrics in a PromQL expression, without functions or labels. */
function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/"[^"]*"|\{[^}]*\}|\[[^\]]*\]|\b(by|on) \([^)]*\)/g, ' ')
  return [...bare.matchAll(/\b(?:talhouse|nodejs|process)_\w+\b/g)].map(([name]) => name)
}

const Target = Type.Object({ refId: Type.String({ minLength: 1 }), expr: Type.String({ minLength: 1 }) })
const GridPos = Type.Object({
  x: Type.Integer({ minimum: 0, maximum: 23 }),
  y: Type.Integer({ minimum: 0 }),
  w: Type.Integer({ minimum: 1, maximum: 24 }),
  h: Type.Integer({ minimum: 1 }),
})
/** The fields that Grafana requires in an imported dashboard. */
const Dashboard = Type.Object({
  uid: Type.String({ minLength: 1, maxLength: 40 }),
  title: Type.String({ minLength: 1 }),
  schemaVersion: Type.Integer({ minimum: 36 }),
  time: Type.Object({ from: Type.String(), to: Type.String() }),
  templating: Type.Object({ list: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })) }),
  panels: Type.Array(
    Type.Object({
      id: Type.Integer({ minimum: 1 }),
      type: Type.Enum(['row', 'stat', 'table', 'bargauge', 'timeseries']),
      title: Type.String({ minLength: 1 }),
      gridPos: GridPos,
      datasource: Type.Optional(
        Type.Object({ type: Type.Literal('prometheus'), uid: Type.String({ pattern: '^\\$\\{datasource\\}$' }) }),
      ),
      targets: Type.Optional(Type.Array(Target, { minItems: 1 })),
    }),
  ),
})
const dashboard = JSON.parse(read('grafana/talhouse.json')) as Static<typeof Dashboard>

describe('the alert rules', () => {
  it.skipIf(!hasPromtool)(
    'the alert rules are valid, and each fires once with a summary and an action (needs promtool)',
    () => {
      expect(execFileSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' })).toContain('SUCCESS')
      execFileSync('promtool', ['test', 'rules', join(DEPLOY, 'prometheus/alerts.test.yaml')])
      const { tests } = parse(read('prometheus/alerts.test.yaml')) as {
        tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[]
      }
      const fired = tests.flatMap((test) => test.alert_rule_test).filter(({ exp_alerts }) => exp_alerts.length === 1)
      expect(fired.map(({ alertname }) => alertname)).toEqual(rules.map(({ alert }) => alert))
    },
  )
})

describe('the dashboard', () => {
  it('the dashboard has the fields that Grafana requires, and panels that do not overlap', () => {
    expect([...Value.Errors(Dashboard, dashboard)]).toEqual([])
    const { panels } = dashboard
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { title, type, targets = [] } of panels) expect(targets.length > 0, title).toBe(type !== 'row')
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
  })
})

describe('talhouse up', () => {
  let scrape = ''
  let exports: Export[] = []
  beforeAll(async () => {
    ;({ scrape, exports } = await watchUp())
  }, 300_000)

  it('exposes every metric that the alert rules, their tests and the dashboard use', () => {
    const named = [
      ...rules.flatMap(({ expr }) => metricsIn(expr)),
      ...[...read('prometheus/alerts.test.yaml').matchAll(/series: '(\w+)/g)].map(([, name = '']) => name),
      ...dashboard.panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr))),
    ]
    expect(named.length).toBeGreaterThan(50)
    const scraped = new Set([...scrape.matchAll(/^(\w+)[{ ]/gm)].map(([, name]) => name))
    // This metric has samples only while a run is in progress.
    scraped.add('talhouse_run_heartbeat_age_seconds')
    expect([...new Set(named)].filter((name) => !scraped.has(name))).toEqual([])
    expect(scrape).toContain('# TYPE talhouse_run_heartbeat_age_seconds gauge')
  })

  it('exposes metrics of the first nightly run, its tasks and its providers', () => {
    expect(sample('talhouse_run_last_outcome{pipeline="nightly",outcome="ok"}')).toBe(1)
    expect(sample('talhouse_run_last_outcome{pipeline="nightly",outcome="failed"}')).toBe(0)
    const age = Date.now() / 1000 - sample('talhouse_run_last_success_timestamp_seconds{pipeline="nightly"}')
    expect(age).toBeGreaterThan(-60)
    expect(age).toBeLessThan(600)
    expect(sample('talhouse_run_last_rows{pipeline="firms",result="inserted"}')).toBe(400)
    expect(sample('talhouse_expectation_met{expectation="there are firms"}')).toBe(1)
    expect(sample('talhouse_members_fresh_ratio')).toBeGreaterThan(0)
    expect(sample('talhouse_client_units_used{client="main"}')).toBeGreaterThan(0)
    expect(scrape).toMatch(/^talhouse_provider_duration_seconds_count\{provider="website",outcome="found"\} [1-9]/m)
    expect(scrape).toMatch(/^talhouse_task_duration_seconds_count\{type="\w+",state="completed"\} [1-9]/m)
    expect(scrape).toMatch(/^talhouse_webhook_attempt_duration_seconds_count\{result="delivered"\} 1$/m)
    expect(scrape).toMatch(/^talhouse_build_info\{version="\d+\.\d+\.\d+",node="\d+\.\d+\.\d+"\} 1$/m)
  })

  it('exposes exactly the metrics that docs/monitoring.md lists', () => {
    const page = readFileSync(join(ROOT, 'docs/monitoring.md'), 'utf8')
    const listed = [...page.matchAll(/^\| `(talhouse_\w+)/gm)].map(([, name]) => name)
    expect(listed.toSorted()).toEqual(
      [...scrape.matchAll(/^# TYPE (talhouse_\w+)/gm)].map(([, name]) => name).toSorted(),
    )
  })

  it.skipIf(!hasPromtool)('names metrics according to the conventions of Prometheus (needs promtool)', () => {
    const own = scrape.split(/(?=^# HELP )/m).filter((metric) => metric.startsWith('# HELP talhouse_'))
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: own.join('') })
    expect({ status, out: `${stdout}${stderr}` }).toEqual({ status: 0, out: '' })
  })

  it('traces a nightly run from the run through the request, the task and the provider to the warehouse rows', () => {
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
  })

  const sample = (series: string): number =>
    Number(
      scrape
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.slice(series.length),
    )
})

describe('talhouse work and schedule', () => {
  it('talhouse work and schedule serve metrics at metrics_listen only to the configured readers', async () => {
    const settings = {
      TALHOUSE_SCHEDULE_METRICS_LISTEN: '127.0.0.1:0',
      TALHOUSE_HTTP_METRICS_ADDRESSES: '192.0.2.1',
      TALHOUSE_METRICS_TOKEN: 'a-token-of-prometheus',
    }
    await using talhouse = await openCommandLine({ url: 'http://127.0.0.1:9' }, settings)
    const { child, ended } = talhouse.start('schedule')
    let notes = ''
    child.stderr?.on('data', (chunk) => {
      notes += String(chunk)
    })
    const url = await eventually('the address is printed', async () => /Metrics: (\S+)/.exec(notes)?.[1], 60)
    expect((await fetch(url)).status).toBe(404)
    const reply = await fetch(url, { headers: { authorization: 'Bearer a-token-of-prometheus' } })
    expect(reply.headers.get('content-type')).toContain('version=0.0.4')
    expect(await reply.text()).toContain('talhouse_database_up{database="warehouse"} 1')
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })
})

/**
 * Starts `talhouse up`, delivers a webhook, reads /metrics after the first nightly run, and stops the process, which
 * then sends the last spans.
 */
async function watchUp(): Promise<{ scrape: string; exports: Export[] }> {
  await using stack = new AsyncDisposableStack()
  const exports: Export[] = []
  const receiver = createServer((_request, response) => response.end()).listen(0, '127.0.0.1')
  const collector = createServer(async (request, response) => {
    if (request.url === '/v1/traces') exports.push((await json(request)) as Export)
    response.setHeader('content-type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  for (const server of [receiver, collector]) stack.defer(() => void server.close())
  await Promise.all([once(receiver, 'listening'), once(collector, 'listening')])
  const portOf = (server: Server) => (server.address() as AddressInfo).port
  const settings = {
    TALHOUSE_HTTP_METRICS_ADDRESSES: '127.0.0.1',
    TALHOUSE_PIPELINES_EXPECTATIONS_QUERIES: 'there are firms=select 1 where not exists (select from warehouse.firm)',
    TALHOUSE_TRACING_OTLP_URL: `http://127.0.0.1:${portOf(collector)}`,
    TALHOUSE_WEBHOOKS_ALLOW_HTTP: 'true',
    TALHOUSE_WEBHOOKS_ALLOW_PRIVATE: 'true',
  }
  await using up = await startTalhouseUp(settings)
  const key = /thk_\S+/.exec(up.printed)?.[0] ?? ''
  const delivered = once(receiver, 'request')
  const submitted = await fetch(`${up.url}/v2/enrich/company`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ domain: 'unknown.example', callback_url: `http://127.0.0.1:${portOf(receiver)}/hook` }),
  })
  expect(submitted.ok).toBe(true)
  await delivered
  const scrape = await eventually('the delivery is counted', async () => {
    const text = await (await fetch(`${up.url}/metrics`)).text()
    return text.includes('talhouse_webhook_attempt_duration_seconds_count') && text
  })
  return { scrape, exports }
}
