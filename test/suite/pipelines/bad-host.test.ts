import { describe, expect, it } from 'vitest'
import type { Fault, FirmHost, FirmRequest } from '../../helpers/firm-host.ts'
import { startFirmHost } from '../../helpers/firm-host.ts'
import { generateFirms, inventFirm } from '../../helpers/invented-firms.ts'
import { firmContents, pipelineBench } from '../../helpers/pipeline.ts'

const FIRMS = 420

describe('a service with transient failures', () => {
  it.each<[string, Fault]>([
    ['with 500', { kind: 'status', status: 500 }],
    ['with 502 and a page of HTML', { kind: 'status', status: 502, body: '<html>bad gateway</html>' }],
    ['with 429 and Retry-After', { kind: 'status', status: 429, retryAfter: '0.05' }],
    ['by being slower than the timeout', { kind: 'slow', milliseconds: 700 }],
    ['by closing connections within a body', { kind: 'cut' }],
    ['by sending half a body as complete', { kind: 'half' }],
    [
      'by repeating the previous page',
      { kind: 'page', change: () => ({ data: [{ sec_number: '802-9' }], total_count: 9 }) },
    ],
    ['by sending an empty page', { kind: 'page', change: (page) => ({ ...page, data: [] }) }],
  ])('a transient failure of the service delays a run without losing firms: %s', async (_, fault) => {
    await using host = await startFirmHost(generateFirms(FIRMS))
    let faults = 0
    host.fault = (request) => {
      if (fault.kind === 'page' && request.filters['sec_number'] === undefined) return undefined
      const now = request.number % 4 === 2 && faults++ < 3
      return now ? repeating(fault, request) : undefined
    }
    await using bench = await pipelineBench(host, { timeout_seconds: 0.4 })
    expect(await bench.run()).toMatchObject({ state: 'completed', outcome: 'ok', inserted: FIRMS })
    expect(faults).toBeGreaterThan(0)
    expect(await firmContents(bench.warehouse)).toHaveLength(FIRMS)
  })
})

/** Makes a fault repeat a page: it contains the key in the filter, although all its keys should be lower. */
function repeating(fault: Fault, { filters }: FirmRequest): Fault {
  if (fault.kind !== 'page' || fault.change.length > 0) return fault
  const below = filters['sec_number']?.slice(3)
  return { kind: 'page', change: () => ({ data: [{ sec_number: below }], total_count: 50 }) }
}

describe('a service with permanent failures', () => {
  it.each<[string, FirmHost['fault'], string, RegExp]>([
    [
      'with 500',
      ({ number }) => (number > 3 ? { kind: 'status', status: 500 } : undefined),
      'upstream_failed',
      /returned 500/,
    ],
    [
      'with 429 for an hour',
      ({ number }) => (number > 3 ? { kind: 'status', status: 429, retryAfter: '3600' } : undefined),
      'rate_limited',
      /returned 429/,
    ],
    ['with 401', () => ({ kind: 'status', status: 401 }), 'unauthenticated', /returned 401/],
    ['with 403', () => ({ kind: 'status', status: 403 }), 'trial_expired', /returned 403/],
    [
      'with the same page forever',
      ({ filters }) =>
        filters['sec_number']
          ? {
              kind: 'page',
              change: () => ({ data: [{ sec_number: filters['sec_number']?.slice(3) }], total_count: 50 }),
            }
          : undefined,
      'upstream_failed',
      /same page again/,
    ],
    [
      'with pages in no order',
      ({ number }) =>
        number > 2
          ? { kind: 'page', change: ({ data, total_count }) => ({ data: shuffled(data), total_count }) }
          : undefined,
      'upstream_failed',
      /do not strictly descend/,
    ],
    [
      'with a key twice on a page',
      ({ number }) =>
        number > 2
          ? {
              kind: 'page',
              change: ({ data, total_count }) => ({ data: data.flatMap((row) => [row, row]), total_count }),
            }
          : undefined,
      'upstream_failed',
      /do not strictly descend/,
    ],
    [
      'with records that have no key',
      () => ({
        kind: 'page',
        change: ({ data, total_count }) => ({ data: data.map(() => ({ legal_name: 'x' })), total_count }),
      }),
      'upstream_failed',
      /has a usable key/,
    ],
    [
      'with a body that is not a page',
      () => ({ kind: 'page', change: () => ({ firms: [] }) }),
      'upstream_failed',
      /data/,
    ],
  ])('a service that responds %s fails the run with the reason, and the next run resumes after the committed pages', async (_, fault, code, message) => {
    await using host = await startFirmHost(generateFirms(FIRMS))
    host.fault = fault
    await using bench = await pipelineBench(host)
    const failed = await bench.run()
    expect(failed).toMatchObject({
      state: 'failed',
      outcome: 'failed',
      error_code: code,
      error_message: expect.stringMatching(message),
    })
    const kept = (await firmContents(bench.warehouse)).length
    expect(kept).toBe(failed.inserted)
    host.fault = () => undefined
    const next = await bench.run()
    expect(next).toMatchObject({ state: 'completed', continues_id: failed.id })
    expect(next.inserted).toBe(FIRMS - kept)
    expect(await firmContents(bench.warehouse)).toHaveLength(FIRMS)
  })

  it('reports that no process listens at the address of the service', async () => {
    await using bench = await pipelineBench({ url: 'http://127.0.0.1:1' })
    expect(await bench.run()).toMatchObject({
      state: 'failed',
      error_code: 'upstream_failed',
      error_message: expect.stringContaining('ECONNREFUSED'),
    })
  })
})

describe('a wrong total', () => {
  it.each<[string, (total: number) => unknown]>([
    ['is too high', (total) => total + 7],
    ['is too low', (total) => Math.max(0, total - 7)],
    ['is the same on every page', () => FIRMS],
    ['is missing', () => undefined],
  ])('a wrong total that %s loses no firm, and marks no firm as gone', async (_, lie) => {
    await using host = await startFirmHost(generateFirms(FIRMS))
    await using bench = await pipelineBench(host)
    await bench.run()
    host.firms = host.firms.slice(1)
    host.fault = () => ({
      kind: 'page',
      change: ({ data, total_count }) => ({ data, total_count: lie(total_count as number) }),
    })
    const run = await bench.run()
    expect(run).toMatchObject({ state: 'completed', outcome: 'degraded', gone: 0 })
    expect(run.unchanged).toBeGreaterThanOrEqual(FIRMS - 1)
  })
})

describe('a service with a different key order', () => {
  const numeric = new Intl.Collator('en', { numeric: true }).compare
  const language = new Intl.Collator('en', { ignorePunctuation: true }).compare
  const mixed = [
    ...generateFirms(200),
    ...['a-1', 'B-2', 'b-10', 'C-3'].map((sec_number, index) => ({ ...inventFirm(9000 + index), sec_number })),
  ]

  it.each([
    ['by value', numeric],
    ['by language', language],
  ])('pulls firms ordered %s completely with one worker, page by page', async (_, compare) => {
    await using host = await startFirmHost(mixed, { compare })
    await using bench = await pipelineBench(host, { concurrency: 8 })
    expect(await bench.run()).toMatchObject({ outcome: 'ok', inserted: 204 })
    expect(await bench.run()).toMatchObject({ outcome: 'ok', unchanged: 204 })
  })

  it('restarts a walk from the top when a different key order is detected late', async () => {
    // The first 200 keys have the same order by bytes and by value; the last 50 do not.
    const late = Array.from({ length: 250 }, (_, index) => ({
      ...inventFirm(index),
      sec_number: index < 200 ? `9-${1000 + index}` : `1-${950 + (index - 200) * 2}`,
    }))
    await using host = await startFirmHost(late, { compare: numeric })
    await using bench = await pipelineBench(host, { concurrency: 1 })
    expect(await bench.run()).toMatchObject({ outcome: 'ok' })
    expect(await firmContents(bench.warehouse)).toHaveLength(250)
  })
})

describe('rejected records', () => {
  const broken = [
    { ...inventFirm(1), employee_count: 'many' },
    { ...inventFirm(2), latest_filing_date: '2022-02-30' },
    { ...inventFirm(3), legal_name: 'NUL \0 inside' },
    { ...inventFirm(4), legal_name: 'half a pair \ud83d' },
    { ...inventFirm(5), notice_states: 'CA' },
    { ...inventFirm(6), aum_total_usd: 1e300 },
  ]

  it('quarantines rejected firms with the reason, writes the rest of the page, and does not mark these firms as gone', async () => {
    const invented = generateFirms(120)
    await using host = await startFirmHost(invented)
    await using bench = await pipelineBench(host)
    await bench.run()
    host.firms = invented.map((firm) => broken.find(({ sec_number }) => sec_number === firm.sec_number) ?? firm)
    const run = await bench.run()
    expect(run).toMatchObject({ outcome: 'degraded', quarantined: 6, unchanged: 114, gone: 0 })
    await bench.run()
    const quarantine = () =>
      bench.warehouse.db
        .selectFrom('warehouse.quarantine')
        .select(['key', 'reason', 'resolved_at'])
        .orderBy('key')
        .execute()
    const rows = await quarantine()
    expect(rows).toHaveLength(6)
    expect(rows.map(({ reason }) => reason.split(' ')[0]).sort()).toEqual(
      ['aum_total_usd', 'employee_count', 'latest_filing_date', 'legal_name', 'legal_name', 'notice_states'].sort(),
    )
    host.firms = invented
    await bench.run()
    expect((await quarantine()).every(({ resolved_at }) => resolved_at !== null)).toBe(true)
  })

  it('rejected firms without a key prevent completeness from being verified', async () => {
    await using host = await startFirmHost(generateFirms(60))
    await using bench = await pipelineBench(host, { concurrency: 1 })
    host.fault = ({ number }) =>
      number === 1
        ? { kind: 'page', change: ({ data, total_count }) => ({ data: [null, ...data.slice(1)], total_count }) }
        : undefined
    const run = await bench.run()
    expect(run).toMatchObject({ outcome: 'degraded', inserted: 59, quarantined: 1 })
    expect(run.reasons.join()).toContain('no usable key')
  })
})

function shuffled(rows: unknown[]): unknown[] {
  return rows.map((row, index) => rows[(index * 7 + 3) % rows.length] ?? row)
}
