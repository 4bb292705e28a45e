import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { PLACES } from '../../../scripts/set-version.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

describe('the version of package.json', () => {
  it.each(Object.keys(PLACES))('is the version in %s', (file) => {
    const found = [...read(file).matchAll(PLACES[file] as RegExp)].map(([place]) => place.split(/[/:]/).at(-1))
    expect(found.length).toBeGreaterThan(0)
    expect(new Set(found)).toEqual(new Set([version]))
  })

  it('is that of the lockfile and has a section in the changelog', () => {
    expect(JSON.parse(read('package-lock.json'))).toMatchObject({ version, packages: { '': { version } } })
    expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## ${version.replaceAll('.', '\\.')}$`, 'm'))
  })
})

describe('scripts/audit.ts', () => {
  /** Runs it against a registry with these advisories by package name. */
  async function audit(registry: string): Promise<{ code: number; out: string }> {
    const cache = await mkdtemp(join(tmpdir(), 'talhouse-npm-'))
    const env = { ...process.env, npm_config_registry: registry, npm_config_cache: cache }
    const child = spawn(process.execPath, [join(ROOT, 'scripts/audit.ts')], { cwd: ROOT, env })
    const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
    await rm(cache, { recursive: true, force: true })
    return { code: code as number, out }
  }

  const kysely = JSON.parse(read('node_modules/kysely/package.json')) as { version: string }
  const KYSELY = { name: 'kysely', 'dist-tags': { latest: kysely.version }, versions: { [kysely.version]: kysely } }

  const advisory = (severity: string) => ({
    id: severity.length,
    url: `https://advisories.example/${severity}`,
    title: 'invented',
    severity,
    vulnerable_versions: '*',
  })

  it.each([
    ['critical', 1],
    ['moderate', 0],
  ])('with an advisory of severity %s exits with %i', async (severity, expected) => {
    const registry = createServer((request, response) => {
      const body = request.method === 'POST' ? { kysely: [advisory(severity)] } : KYSELY
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    }).listen(0, '127.0.0.1')
    await once(registry, 'listening')
    const { code, out } = await audit(`http://127.0.0.1:${(registry.address() as AddressInfo).port}/`)
    registry.close()
    expect({ code, out }).toEqual({ code: expected, out: expect.stringContaining(`${severity}: kysely`) })
  })

  it('succeeds without a registry and says so', async () => {
    expect(await audit('http://127.0.0.1:9/')).toEqual({
      code: 0,
      out: expect.stringMatching(/^Packages were not audited, because the registry did not respond: \S/),
    })
  })
})

it('npm sbom lists the production packages as CycloneDX', () => {
  const sbom = JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as { bomFormat: string; components: { name: string }[] }
  const names = sbom.components.map(({ name }) => name)
  expect(sbom.bomFormat).toBe('CycloneDX')
  expect(names).toContain('kysely')
  expect(names).not.toContain('vitest')
})
