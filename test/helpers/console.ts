import axe from 'axe-core'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'

/** Axe's result: the violated rules with their first element. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  await page.addScriptTag({ content: axe.source })
  return await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  })
}

/** Presses Tab until the element has the focus, like a user without a mouse. */
export async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor()
  for (let presses = 0; presses < 150; presses += 1) {
    if (await element.evaluate((node) => node === node.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${element} cannot be reached with Tab`)
}

/** A browser context that is signed in to the console with the key. */
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

/** A path, optionally with the name of the button that opens a dialog there. */
type Place = string | { path: string; dialog: string }

/**
 * Opens each page or dialog at 360 pixels in both color schemes. Returns accessibility violations and pages that are too
 * wide.
 */
export async function findPageFaults(
  operator: BrowserContext,
  url: string,
  places: readonly Place[],
): Promise<string[]> {
  const faults: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await (operator.browser() as Browser).newContext({
      colorScheme,
      viewport: { width: 360, height: 740 },
      storageState: await operator.storageState(),
      // axe runs as an inline script, which the console's policy refuses.
      bypassCSP: true,
    })
    const page = await context.newPage()
    for (const place of places) {
      const { path, dialog } = typeof place === 'string' ? { path: place, dialog: undefined } : place
      await page.goto(`${url}/console${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForFunction(`document.querySelector('[aria-busy]') === null`)
      if (dialog !== undefined) {
        await page.getByRole('button', { name: dialog }).first().click()
        await page.getByRole('dialog').waitFor()
      }
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      if (width > 360) faults.push(`${path} ${dialog ?? ''} is ${width} pixels wide`)
      faults.push(
        ...(await accessibilityViolations(page)).map(
          (violation) => `${colorScheme} ${path} ${dialog ?? ''}: ${violation}`,
        ),
      )
    }
    await context.close()
  }
  return faults
}
