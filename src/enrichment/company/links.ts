import { parsePhoneNumber } from 'awesome-phonenumber'
import type { Page } from '../extract/page.ts'
import { absoluteUrl, linesOf } from '../extract/page.ts'

/**
 * Returns the canonical URL of a company profile on a professional network; undefined for other links, such as
 * links to people or posts.
 */
export function companyProfile(url: string): string | undefined {
  const [, kind, slug] =
    /^https?:\/\/(?:[a-z]{2,3}\.)?linkedin\.com\/(company|school|showcase)\/([^/?#\s]+)/i.exec(url.trim()) ?? []
  if (kind && slug) return `https://www.linkedin.com/${kind.toLowerCase()}/${slug.toLowerCase()}`
  const [, xing] = /^https?:\/\/(?:www\.)?xing\.com\/(?:companies|pages)\/([^/?#\s]+)/i.exec(url.trim()) ?? []
  return xing && `https://www.xing.com/pages/${xing.toLowerCase()}`
}

/**
 * Finds the company profile that a page links to. Checks links in the header and footer first, because articles link to
 * other companies.
 */
export function profileOnPage({ $, base }: Page): string | undefined {
  const links = [
    ...$('footer a[href], header a[href], [class*="footer" i] a[href], [class*="social" i] a[href]').toArray(),
    ...$('a[href]').toArray(),
  ]
  const found = links
    .map((link) => companyProfile(absoluteUrl($(link).attr('href') ?? '', base) ?? ''))
    .filter((url) => url !== undefined)
  return found[0]
}

/**
 * Finds the company's logo: an image in the header, the footer or the link to the home page with "logo" in its
 * attributes.
 */
export function logoOnPage({ $, base }: Page): string | undefined {
  for (const image of $('img[src]').toArray()) {
    const { attribs } = image
    const calls = [
      attribs['class'],
      attribs['id'],
      attribs['alt'],
      attribs['src'],
      $(image).parent().attr('class'),
    ].join(' ')
    const isOwn =
      $(image).closest('header, nav, footer, a[href="/"], [class*="header" i], [class*="navbar" i], [class*="brand" i]')
        .length > 0
    if (
      /logo/i.test(calls) &&
      isOwn &&
      !/client|partner|award|sponsor/i.test(
        $(image)
          .parents()
          .map((_, parent) => $(parent).attr('class') ?? '')
          .get()
          .join(' '),
      )
    )
      return absoluteUrl(attribs['src'] ?? '', base)
  }
  return undefined
}

/**
 * Converts a telephone number to E.164. `country` applies to numbers without a country code. Returns undefined for
 * invalid numbers.
 */
export function normalizePhone(text: string, country: string | undefined): string | undefined {
  const plain = decodeURIComponentSafe(text)
    .replace(/^tel:/i, '')
    .replace(/\(0\)/, '')
    .replace(/^00(?=\d)/, '+')
    .trim()
  if (!WHOLE_NUMBER.test(plain)) return undefined
  // Groups of three, three and four digits indicate a North American number.
  const nation = country ?? (AMERICAN.test(plain) ? 'US' : undefined)
  const number = parsePhoneNumber(plain, nation ? { regionCode: nation } : {})
  return number.valid ? number.number.e164 : undefined
}

/** Matches text that contains only a number, with an optional extension. The parser would also find a number within other text. */
const WHOLE_NUMBER = /^[+＋]?[\d\s().\-‐-―/[\]~]+(?:(?:;ext=|[ ,;]*(?:ext(?:ension)?|extn|x|#)[:.\s]*)\d{1,7}#?)?$/i
const AMERICAN = /^(?:1[ .-]?)?\(?[2-9]\d{2}\)?[ .-]{1,3}\d{3}[ .-]\d{4}$/
/** Matches telephone numbers that are recognizable without a label. */
const PLAIN_NUMBER =
  /(?<![\d.-])(?:(?:1[ .-])?\(?[2-9]\d{2}\)?[ .-]{1,2}\d{3}[ .-]\d{4}|\+\d{1,3}[ .(-]{1,2}\d[\d ().-]{6,14}\d)(?![\d-]| \d)/
const PHONE_LINE =
  /(?:^|\b(?:tel(?:ephone)?|phone|call(?: us)?|t|p|ph|main|office|fon|telefon|tél)\b\.?\s*:?\s*)(\+?\(?\d[\d\s().\-–/]{6,20}\d)(?!\d)/i

/** Finds the main telephone number of a page: in a `tel:` link, otherwise in the text. Skips fax numbers. */
export function phoneOnPage({ $ }: Page, country: string | undefined): string | undefined {
  const isFax = (around: string): boolean => /fax/i.test(around)
  for (const link of $('a[href^="tel:" i]').toArray()) {
    const before = $(link).parent().text()
    if (isFax(before) && !/phone|tel(?!efax)/i.test(before)) continue
    const number = normalizePhone($(link).attr('href') ?? '', country)
    if (number) return number
  }
  return phoneInLines(linesOf($('body')), country)
}

/**
 * Finds the first labeled telephone number in lines of text, otherwise the first unlabeled number. Skips fax numbers.
 */
export function phoneInLines(text: readonly string[], country: string | undefined): string | undefined {
  const lines = text
    .filter((line) => line.length <= 320 && !/^\s*(?:tele)?fax/i.test(line))
    .map((line) => line.replace(/\b(?:tele)?fax\b[^|•·;]*/i, ''))
  const first = (find: (line: string) => string | undefined): string | undefined => {
    for (const line of lines) {
      const candidate = find(line)
      const number = candidate && normalizePhone(candidate, country)
      if (number) return number
    }
    return undefined
  }
  return (
    first((line) => (line.length <= 160 ? PHONE_LINE.exec(line)?.[1] : undefined)) ??
    first((line) => PLAIN_NUMBER.exec(line)?.[0])
  )
}

function decodeURIComponentSafe(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
