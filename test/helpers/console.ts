import axe from 'axe-core'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'

/**
 * Returns the violations of the given axe rules, each with the first affected element. The page must have loaded axe.
 * @default all rules
 */
async function accessibilityViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  return await page.evaluate(async (runOnly) => {
    interface Options {
      runOnly?: readonly string[]
      resultTypes: string[]
    }
    const { axe } = globalThis as unknown as {
      axe: { run(options: Options): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await axe.run({ ...(runOnly && { runOnly }), resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  }, rules)
}

/** Presses Tab until the element has focus, like a user without a mouse. */
export async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor()
  for (let presses = 0; presses < 150; presses += 1) {
    if (await element.evaluate((node) => node === node.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${element} cannot be reached with Tab`)
}

/** Opens a browser context that is signed in to the console with the key. */
export async function signIn(browser: Browser, url: string, key: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  const page = await context.newPage()
  await page.goto(`${url}/console`)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  await page.close()
  return context
}

/** A path, optionally with the names of buttons that open dialogs there. */
type Place = string | { path: string; dialogs: string[] }

/** The axe rules that depend on colors; all other rules have the same result in both color schemes. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * Opens each page and dialog at 360 pixels in both color schemes. Returns accessibility violations and pages that are
 * too wide.
 */
export async function findPageFaults(
  operator: BrowserContext,
  url: string,
  places: readonly Place[],
): Promise<string[]> {
  const faults: string[] = []
  await using context = await (operator.browser() as Browser).newContext({
    reducedMotion: 'reduce',
    viewport: { width: 360, height: 740 },
    storageState: await operator.storageState(),
    // axe runs as an inline script, which the console's content security policy blocks.
    bypassCSP: true,
  })
  const page = await context.newPage()
  const check = async (name: string) => {
    for (const [colorScheme, rules] of [
      ['light', undefined],
      ['dark', COLOR_RULES],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      if (width > 360) faults.push(`${colorScheme} ${name} is ${width} pixels wide`)
      const violations = await accessibilityViolations(page, rules)
      faults.push(...violations.map((violation) => `${colorScheme} ${name}: ${violation}`))
    }
  }
  for (const place of places) {
    const { path, dialogs } = typeof place === 'string' ? { path: place, dialogs: [] } : place
    await page.goto(`${url}/console${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForFunction(`document.querySelector('[aria-busy]') === null`)
    await page.addScriptTag({ content: axe.source })
    await check(path)
    for (const dialog of dialogs) {
      await page.getByRole('button', { name: dialog }).first().click()
      await page.getByRole('dialog').waitFor()
      await check(`${path} ${dialog}`)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  }
  return faults
}
