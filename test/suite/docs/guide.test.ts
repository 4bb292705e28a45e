import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildGuide } from '../../../scripts/build-guide.ts'
import { CHROMIUM, launchBrowser, watchErrors } from '../../helpers/browser.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

/** The folder of the guide. Building the guide fails if a page links to a file or heading that does not exist. */
const FOLDER = await buildGuide()
const ROOT = join(import.meta.dirname, '../../..')
const HTML = globSync('**/*.html', { cwd: FOLDER, exclude: ['files/**'] }).map((file) => file.replace(/\.html$/, ''))

let service: TestService
beforeAll(async () => {
  service = await startService({ guideFolder: FOLDER })
})
afterAll(() => service[Symbol.asyncDispose]())

const get = (path: string) => fetch(service.url + path)

describe('the guide', () => {
  it('the guide serves every page as HTML and as Markdown, and lists all of them in llms.txt', async () => {
    const list = await (await get('/llms.txt')).text()
    expect(HTML.length).toBeGreaterThan(40)
    for (const slug of HTML) {
      const page = await get(slug === 'index' ? '/guide' : `/guide/${slug}`)
      expect([page.status, page.headers.get('content-type')], slug).toEqual([200, 'text/html; charset=utf-8'])
      const markdown = await get(`/guide/${slug}.md`)
      expect([markdown.status, markdown.headers.get('content-type')], slug).toEqual([
        200,
        'text/markdown; charset=utf-8',
      ])
      expect(list).toContain(`(/guide/${slug}.md)`)
    }
  })

  it('the guide contains every page of docs', () => {
    const pages = globSync('docs/{,api/,decisions/}*.md', { cwd: ROOT })
    expect(pages.length).toBeGreaterThan(40)
    expect(HTML).toEqual(
      expect.arrayContaining(
        pages.map((file) =>
          file
            .replace(/^docs\//, '')
            .replace(/\.md$/, '')
            .replace('/', '-'),
        ),
      ),
    )
  })

  it('the guide has only links that lead to a file, page or endpoint', async () => {
    const targets = new Set<string>()
    for (const slug of HTML) {
      const html = await readFile(join(FOLDER, `${slug}.html`), 'utf8')
      for (const [, url = ''] of html.matchAll(/ (?:href|src)="(\/[^"#]*)/g)) targets.add(url)
    }
    targets.delete('/console')
    expect(targets.size).toBeGreaterThan(100)
    for (const url of targets) expect((await get(url)).status, url).toBe(200)
  })

  it('the guide has the same content security policy as the console, and no inline script or style', async () => {
    const page = await get('/guide/operations')
    expect(page.headers.get('content-security-policy')).not.toMatch(/unsafe|data:|blob:|\*|https?:/)
    for (const slug of HTML)
      expect(await readFile(join(FOLDER, `${slug}.html`), 'utf8'), slug).not.toMatch(
        /<script(?![^>]* src=)|<style|<[^>]+\s(?:on\w+|style)=/,
      )
  })

  it('the guide responds 404 to unknown pages and to paths outside its folder', async () => {
    for (const path of ['/guide/unknown', '/guide/..%2fconsole%2findex.html', '/guide/..%2f..%2fpackage.json'])
      expect((await get(path)).status, path).toBe(404)
  })

  it('the guide has a section for every command, and a row for every setting and operation', async () => {
    const text = async (slug: string) => await readFile(join(FOLDER, `${slug}.md`), 'utf8')
    expect(await text('commands')).toMatch(/### talhouse runs list\n\n```text\n/)
    expect(await text('settings')).toContain(
      '`schedule.cron`<br>`TALHOUSE_SCHEDULE_CRON` | `"0 2 * * *"` | Cron expression',
    )
    const endpoints = await text('endpoints')
    for (const [path, methods] of Object.entries(service.document.paths))
      for (const method of Object.keys(methods)) expect(endpoints).toContain(`\`${method.toUpperCase()} ${path}\``)
  })
})

describe.skipIf(CHROMIUM === undefined)('the guide in a browser', () => {
  it('the guide finds a section offline, and opens it at its heading', async () => {
    await using browser = await launchBrowser()
    const page = await browser.newPage()
    const errors = watchErrors(page, service.url)
    await page.goto(`${service.url}/guide`)
    await page.keyboard.press('/')
    await page.keyboard.type('restore damaged postgres')
    await page.locator('#results a').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/guide\/operations#backups$/)
    expect(await page.locator('h2#backups').isVisible()).toBe(true)
    expect(errors).toEqual([])
  })

  it('the guide has no accessibility violations', async () => {
    await using browser = await launchBrowser()
    const page = await browser.newPage()
    const axe = await readFile(join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js'), 'utf8')
    for (const slug of ['quick-start', 'operations', 'settings']) {
      await page.goto(`${service.url}/guide/${slug}`)
      const violations = await page.evaluate(
        `(() => { ${axe}; return axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html)) })()`,
      )
      expect(violations, slug).toEqual([])
    }
  })
})

describe('the decisions', () => {
  it('the decisions are numbered without gaps, each with its number in the title', async () => {
    const files = globSync('docs/decisions/*.md', { cwd: ROOT }).toSorted()
    const numbers = await Promise.all(
      files.map(async (file) => {
        const [, number = ''] = /^# (\d+)\. /.exec(await readFile(join(ROOT, file), 'utf8')) ?? []
        return [basename(file).slice(0, 4), number.padStart(4, '0')]
      }),
    )
    expect(numbers).toEqual(files.map((_, index) => Array(2).fill(String(index + 1).padStart(4, '0'))))
  })
})
