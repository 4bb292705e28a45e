import { readHCards } from './h-card.ts'
import { readJsonLd } from './json-ld.ts'
import { readMicrodata } from './microdata.ts'
import type { Page } from './page.ts'
import { parsePage } from './page.ts'
import { readRdfa } from './rdfa.ts'
import type { StructuredItem } from './structured-item.ts'

/**
 * All JSON-LD, microdata, RDFa and h-card items of a page, top level first and in the page's order; nested items stand in the
 * properties of their parents (`allItems` walks them too). Broken markup is repaired where it can be, else left out.
 */
export function parseStructuredData(html: string, url: string): StructuredItem[] {
  return structuredDataOf(parsePage(html, url), html)
}

/** The same of a page that is parsed already. The text is needed too: h-cards have their own parser. */
export function structuredDataOf(page: Page, html: string): StructuredItem[] {
  return [...readJsonLd(page), ...readMicrodata(page), ...readRdfa(page), ...readHCards(page, html)]
}
