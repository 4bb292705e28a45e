/**
 * Takes the console screenshots in `docs/images` from a new installation with demo companies, after the first nightly
 * run.
 */
import { join } from 'node:path'
import { CHROMIUM, launchBrowser } from '../test/helpers/browser.ts'
import { startTalhouseUp } from '../test/helpers/talhouse-up.ts'
import { buildConsole } from './build-console.ts'

const FOLDER = join(import.meta.dirname, '../docs/images')
const COMPANIES = 40
const PAGES = {
  overview: '/console',
  run: '/console/runs/1',
  company: '/console/companies/ostervane-harbor-investments.example',
}

if (CHROMIUM) await takeImages()
else {
  console.error('The images need Chromium in /usr/bin/chromium: apt-get install chromium')
  process.exitCode = 1
}

async function takeImages(): Promise<void> {
  await buildConsole()
  console.log(`Waiting for the first night of ${COMPANIES} companies ...`)
  await using talhouse = await startTalhouseUp({ TALHOUSE_DEMO_COMPANIES: String(COMPANIES) })
  const link = /http\S+\/console\/sign-in#\S+/.exec(talhouse.printed)?.[0]
  if (!link) throw new Error(`talhouse up printed no sign-in link:\n${talhouse.printed}`)
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext({
      viewport: { width: 1180, height: 720 },
      colorScheme: 'light',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    await page.goto(link)
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(`${talhouse.url}${path}`)
      await page.locator('main .card').first().waitFor()
      await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
      const file = join(FOLDER, `console-${name}.png`)
      await page.screenshot({ path: file })
      console.log(file)
    }
  } finally {
    await browser.close()
  }
}
