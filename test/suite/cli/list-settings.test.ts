import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { listSettings } from '../../../src/cli/support/console/list-settings.ts'
import { loadConfig } from '../../../src/config/load.ts'

afterEach(() => vi.unstubAllEnvs())

const settingsWith = (env: Record<string, string>) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  return new Map(listSettings(loadConfig()).map((setting) => [setting.name, setting]))
}

describe('the list of settings', () => {
  it('lists every setting with its source and variable', () => {
    const settings = settingsWith({ TALHOUSE_HTTP_PORT: '9000' })
    expect(settings.get('http.port')).toMatchObject({
      value: 9000,
      source: 'environment',
      variable: 'TALHOUSE_HTTP_PORT',
    })
    expect(settings.get('http.host')).toMatchObject({ source: 'default' })
    expect(settings.get('pipelines.freshness.by_source')).toMatchObject({ value: {} })
  })

  it('names the settings file as the source of the settings in the file', async () => {
    await using stack = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'talhouse-settings-'))
    stack.defer(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'talhouse.yaml')
    await writeFile(file, 'http:\n  host: 0.0.0.0\n  port: 7000\n')
    const settings = settingsWith({ TALHOUSE_CONFIG: file, TALHOUSE_HTTP_PORT: '9000' })
    expect(settings.get('http.host')).toMatchObject({ value: '0.0.0.0', source: 'file' })
    expect(settings.get('http.port')).toMatchObject({ value: 9000, source: 'environment' })
    expect(settings.get('log.level')).toMatchObject({ source: 'default' })
  })

  it('lists a setting without a value as null, because a response cannot omit it', () => {
    const values = [...settingsWith({}).values()].map(({ value }) => value)
    expect(values).toContain(null)
    expect(values).not.toContain(undefined)
  })

  it('lists no secrets and no passwords in URLs', () => {
    const settings = settingsWith({
      TALHOUSE_METRICS_TOKEN: 'a-secret-of-the-metrics',
      TALHOUSE_SERVICE_DATABASE_URL: 'postgres://user:pass-of-postgres@db/service',
    })
    expect(settings.get('metrics_token')).toMatchObject({ value: null, source: 'environment' })
    expect(JSON.stringify([...settings.values()])).not.toMatch(/a-secret|pass-of-postgres/)
  })
})
