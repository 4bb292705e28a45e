import { readHCards } from './h-card.ts'
import { readJsonLd } from './json-ld.ts'
import { readMicrodata } from './microdata.ts'
import type { Page } from './page.ts'
import { parsePage } from './page.ts'
import { readRdfa } from './rdfa.ts'
import type { StructuredItem } from './structured-item.ts'

/**
 * Reads all JSON-LD, microdata, RDFa and h-card items on a page, grouped by format and in page order within each
 * format. Nested items are in their parents' properties; `allItems` also returns them. Broken markup is repaired if
 * possible and skipped if not.
 */
export function parseStructuredData(html: string, url: string): StructuredItem[] {
  return structuredDataOf(parsePage(html, url), html)
}

/**
 * Like `parseStructuredData`, but for a parsed page. The HTML is still required, because h-cards have a separate
 * parser.
 */
export function structuredDataOf(page: Page, html: string): StructuredItem[] {
  return [...readJsonLd(page), ...readMicrodata(page), ...readRdfa(page), ...readHCards(page, html)]
}
