import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../src/config/load.ts'

describe('settings from the environment', () => {
  it('reads a record in an environment variable as name=number pairs', () => {
    const config = loadConfig({ TALHOUSE_PIPELINES_FRESHNESS_BY_SOURCE: 'key-accounts=7, prospects = 60.5' })
    expect(config.pipelines.freshness.by_source).toEqual({ 'key-accounts': 7, prospects: 60.5 })
    expect(loadConfig({ TALHOUSE_PIPELINES_FRESHNESS_BY_SOURCE: '' }).pipelines.freshness.by_source).toEqual({})
  })

  it.each([
    'key-accounts',
    'key-accounts=soon',
    'key-accounts=-1',
    'key-accounts=0',
  ])('rejects the record %s in an environment variable', (text) => {
    expect(() => loadConfig({ TALHOUSE_PIPELINES_FRESHNESS_BY_SOURCE: text })).toThrow(
      /pipelines\.freshness\.by_source\.key-accounts .* but must/,
    )
  })

  it('reads lists, numbers and booleans from environment variables', () => {
    const config = loadConfig({
      TALHOUSE_SCHEDULE_PIPELINES: 'firms, export',
      TALHOUSE_FETCHING_PORTS: '80,8443',
      TALHOUSE_WEBHOOKS_ALLOW_HTTP: 'true',
    })
    expect(config.schedule.pipelines).toEqual(['firms', 'export'])
    expect(config.fetching.ports).toEqual([80, 8443])
    expect(config.webhooks.allow_http).toBe(true)
  })

  it('rejects unknown settings and invalid values together', () => {
    expect(() => loadConfig({ TALHOUSE_HTPP_HOST: 'x', TALHOUSE_HTTP_PORT: 'ten' })).toThrow(
      /TALHOUSE_HTPP_HOST is not a setting.*http\.port \(TALHOUSE_HTTP_PORT\) is "ten" but must be integer/s,
    )
  })
})
