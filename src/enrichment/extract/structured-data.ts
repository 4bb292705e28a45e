import { readHCards } from './h-card.ts'
import { readJsonLd } from './json-ld.ts'
import { readMicrodata } from './microdata.ts'
import type { Page } from './page.ts'
import { parsePage } from './page.ts'
import { readRdfa } from './rdfa.ts'
import type { StructuredItem } from './structured-item.ts'

/**
 * All JSON-LD, microdata, RDFa and h-card items of a page, in page order. Nested items are in their parents'
 * properties; `allItems` visits them too. Broken markup is repaired if possible and otherwise skipped.
 */
export function parseStructuredData(html: string, url: string): StructuredItem[] {
  return structuredDataOf(parsePage(html, url), html)
}

/** Like `parseStructuredData`, for a parsed page. The HTML is also needed, because h-cards have a separate parser. */
export function structuredDataOf(page: Page, html: string): StructuredItem[] {
  return [...readJsonLd(page), ...readMicrodata(page), ...readRdfa(page), ...readHCards(page, html)]
}
