import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { buildConsole } from '../../../scripts/build-console.ts'
import { buildGuide } from '../../../scripts/build-guide.ts'
import { bundleDependencies } from '../../../scripts/bundle-dependencies.ts'
import { bundleMcpSdk } from '../../../scripts/bundle-mcp-sdk.ts'
import { bundledIn } from '../../../scripts/bundled-packages.ts'
import { createSbom } from '../../../scripts/sbom.ts'
import { PLACES } from '../../../scripts/set-version.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const { version, dependencies } = JSON.parse(read('package.json')) as {
  version: string
  dependencies: Record<string, string>
}

describe('the version of package.json', () => {
  it.each(Object.keys(PLACES))('%s has the version of package.json', (file) => {
    const found = [...read(file).matchAll(PLACES[file] as RegExp)].map(([place]) => place.split(/[/:=]/).at(-1))
    expect(found.length).toBeGreaterThan(0)
    expect(new Set(found)).toEqual(new Set([version]))
  })

  it('the version of package.json matches the lockfile and has a section in the changelog', () => {
    expect(JSON.parse(read('package-lock.json'))).toMatchObject({ version, packages: { '': { version } } })
    expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## ${version.replaceAll('.', '\\.')}$`, 'm'))
  })
})

describe('scripts/audit.ts', () => {
  /** Runs the audit against a registry. */
  async function audit(registry: string): Promise<{ code: number; out: string }> {
    const cache = await mkdtemp(join(tmpdir(), 'talhouse-npm-'))
    const env = { ...process.env, npm_config_registry: registry, npm_config_cache: cache }
    const child = spawn(process.execPath, [join(ROOT, 'scripts/audit.ts')], { cwd: ROOT, env })
    const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
    await rm(cache, { recursive: true, force: true })
    return { code: code as number, out }
  }

  const advisory = (severity: string) => ({
    id: severity.length,
    url: `https://advisories.example/${severity}`,
    title: 'invented',
    severity,
    vulnerable_versions: '*',
  })

  /**
   * Runs the audit against a registry that lists only the installed versions and has these advisories, by package name.
   */
  async function auditWith(advisories: Record<string, object[]>): Promise<{ code: number; out: string }> {
    const registry = createServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      if (request.method === 'POST') return response.end(JSON.stringify(advisories))
      const name = decodeURIComponent(request.url?.slice(1) ?? '')
      const manifest = JSON.parse(read(`node_modules/${name}/package.json`)) as { version: string }
      const { version } = manifest
      return response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: manifest } }))
    }).listen(0, '127.0.0.1')
    await once(registry, 'listening')
    const result = await audit(`http://127.0.0.1:${(registry.address() as AddressInfo).port}/`)
    registry.close()
    return result
  }

  it.each([
    ['critical', 'kysely', 1],
    ['moderate', 'kysely', 0],
    ['critical', 'preact', 1],
    ['critical', 'zod', 1],
  ])('scripts/audit.ts with an advisory of severity %s for %s exits with %i', async (severity, name, expected) => {
    const { code, out } = await auditWith({ [name]: [advisory(severity)] })
    expect({ code, out }).toEqual({ code: expected, out: expect.stringContaining(`${severity}: ${name}`) })
  })

  it('scripts/audit.ts ignores advisories for packages that are neither installed with the package nor bundled', async () => {
    const { code, out } = await auditWith({ vitest: [advisory('critical')] })
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^0 of \d+ production and bundled packages/) })
  })

  it('scripts/audit.ts succeeds without a registry, with a message', async () => {
    expect(await audit('http://127.0.0.1:9/')).toEqual({
      code: 0,
      out: expect.stringMatching(/^Packages were not audited, because the registry did not respond: \S/),
    })
  })
})

describe('the SBOM', () => {
  it('the SBOM lists the production packages and the packages bundled into dist, as CycloneDX', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'talhouse-bundle-'))
    const bundled = bundledIn([
      await bundleDependencies(join(folder, 'dependencies')),
      await bundleMcpSdk(join(folder, 'mcp')),
      await buildConsole(),
      await buildGuide(),
    ])
    await rm(folder, { recursive: true, force: true })
    const sbom = createSbom(bundled)
    const listed = new Map(sbom.components.map((component) => [component.name, component]))
    const markOf = (name: string) => listed.get(name)?.properties.find(({ name }) => name === 'talhouse:bundled')?.value
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'talhouse', version } } })
    // A dependency, one direct and one transitive package of the SDK, and the direct packages of the console and the
    // guide.
    for (const name of ['kysely', '@modelcontextprotocol/server', 'zod', 'preact', '@preact/signals', 'minisearch'])
      expect(markOf(name), name).toBe('true')
    for (const name of Object.keys(dependencies))
      expect([name, listed.has(name), markOf(name)]).toEqual([name, true, undefined])
    expect(listed.has('vitest')).toBe(false)
    const refs = new Set([sbom.metadata.component, ...sbom.components].map((component) => component['bom-ref']))
    for (const { ref, dependsOn } of sbom.dependencies)
      for (const used of [ref, ...dependsOn]) expect(refs).toContain(used)
  })

  it('the SBOM cannot be created for a bundled package that is not installed', () => {
    expect(() => createSbom([{ name: 'preact', version: '0.0.0' }])).toThrow(
      'Bundled, but not installed: preact@0.0.0. Run npm run build.',
    )
  })
})
