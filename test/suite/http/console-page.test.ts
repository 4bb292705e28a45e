import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUILT_CONSOLE } from '../../helpers/built-console.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ consoleFolder: await BUILT_CONSOLE })
})
afterAll(() => service[Symbol.asyncDispose]())

describe('the console page', () => {
  it('serves the console page at every path below /console, and redirects / to /console', async () => {
    for (const path of ['/console', '/console/', '/console/runs/1', '/console/companies/acme.example'])
      expect(await (await fetch(service.url + path)).text(), path).toContain('<div id="app">')
    const root = await fetch(service.url, { redirect: 'manual' })
    expect(root.headers.get('location')).toBe('/console')
  })

  it('serves the console with a content security policy without exceptions, and no inline script or style', async () => {
    const page = await fetch(`${service.url}/console`)
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toMatch(/unsafe|data:|blob:|\*|https?:/)
    expect(await page.text()).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|style=/)
  })

  it('the console page cannot be framed, and sends no referrer', async () => {
    const { headers } = await fetch(`${service.url}/console`)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('the console page loads compressed assets that may be cached for a year', async () => {
    const html = await (await fetch(`${service.url}/console`)).text()
    const assets = [...html.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path as string)
    expect(assets.length).toBeGreaterThanOrEqual(2)
    for (const path of assets) {
      const { status, headers } = await fetch(service.url + path, { headers: { 'accept-encoding': 'gzip' } })
      expect({ status, encoding: headers.get('content-encoding') }, path).toEqual({ status: 200, encoding: 'gzip' })
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
  })

  it("responds 404 to unknown console assets and paths outside the console's folder", async () => {
    for (const path of [
      '/console/assets/unknown.js',
      '/console/assets/..%2findex.html',
      '/console/assets/..%2f..%2fpackage.json',
    ])
      expect((await fetch(service.url + path)).status, path).toBe(404)
  })
})

describe('the size of the console', () => {
  const KB = 1024
  it('the console is at most 120 KB compressed, of which the first page loads at most 60 KB', async () => {
    const folder = await BUILT_CONSOLE
    const compressed = async (names: readonly string[]) =>
      (await Promise.all(names.map((name) => readFile(join(folder, 'assets', `${name}.gz`))))).reduce(
        (sum, { length }) => sum + length,
        0,
      )
    const all = (await readdir(join(folder, 'assets')))
      .filter((name) => name.endsWith('.gz'))
      .map((name) => name.slice(0, -3))
    const html = await readFile(join(folder, 'index.html'), 'utf8')
    const first = all.filter((name) => html.includes(name))
    expect(await compressed(all)).toBeLessThanOrEqual(120 * KB)
    expect(await compressed(first)).toBeLessThanOrEqual(60 * KB)
    expect(first.length).toBeGreaterThanOrEqual(2)
  })
})
