import { parsePage } from '../../src/enrichment/extract/page.ts'
import { fixture } from './words.ts'

/** A short handwritten site, and the phrases on it that describe the company's business. */
export interface DescribedSite {
  /** Name of the site's group of examples. */
  group: string
  domain: string
  name: string
  city: string
  industries: readonly string[]
  pages: ReturnType<typeof parsePage>[]
}

/** Separates accepted phrases. */
const PHRASE = ';'
/** Separates the lines of a page. */
const LINE = ' // '

/** Reads the sites in `test/fixtures/training/industry-sites.tsv`. */
export const describedSites = (): DescribedSite[] =>
  fixture('industry-sites').map((columns, at) => {
    const [language = '', name = '', city = '', industries = '', title = '', description = '', home = '', about = ''] =
      columns
    const page = (heading: string, body: string, path: string): ReturnType<typeof parsePage> => {
      const meta = description === '' || path !== '' ? '' : `<meta name="description" content="${description}">`
      const lines = body.split(LINE).map((line) => `<p>${line}</p>`)
      return parsePage(
        `<html lang="${language}"><head><title>${heading}</title>${meta}</head><body><header><a href="/">${name}</a></header><main>${lines.join('')}</main></body></html>`,
        `https://site-${at}.example/${path}`,
      )
    }
    return {
      group: `described ${at}`,
      domain: `site-${at}.example`,
      name,
      city,
      industries: industries.split(PHRASE),
      pages: [page(title, home, ''), page(name, about, 'about')],
    }
  })
