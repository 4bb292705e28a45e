import { expect, it } from 'vitest'
import { CHROMIUM, launchBrowser } from '../../helpers/browser.ts'
import { startService } from '../../helpers/service.ts'

it.skipIf(!CHROMIUM)(
  'the page at /docs shows every path, sends no requests to other hosts, and logs no errors (skipped without Chromium)',
  async () => {
    await using service = await startService()
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } })
      page.setDefaultTimeout(0) // the test's timeout applies
      const strangers: string[] = []
      const errors: string[] = []
      page.on('request', (request) => {
        if (!request.url().startsWith(service.url) && !request.url().startsWith('data:')) strangers.push(request.url())
      })
      page.on('pageerror', (error) => errors.push(error.message))
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      await page.goto(`${service.url}/docs`)
      await page.getByText('/v2/companies/{domain}', { exact: true }).first().waitFor()
      const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: Record<string, unknown> }
      const shown = await page.locator('.opblock-summary-path').allInnerTexts()
      const paths = new Set(shown.map((text) => text.replaceAll('\u200b', '')))
      for (const path of Object.keys(document.paths)) expect(paths).toContain(path)
      const screenshot = process.env['TALHOUSE_TEST_SCREENSHOT']
      if (screenshot) await page.screenshot({ path: screenshot })
      expect(strangers).toEqual([])
      expect(errors).toEqual([])
    } finally {
      await browser.close()
    }
  },
)
