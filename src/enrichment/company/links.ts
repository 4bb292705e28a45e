import { parsePhoneNumber } from 'awesome-phonenumber'
import type { Page } from '../extract/page.ts'
import { absoluteUrl } from '../extract/page.ts'
import { decode } from './facts/decode.ts'

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

/** A quick test that avoids parsing most links. */
const PROFILE = /linkedin|xing/i

/**
 * Finds the company profile that a page links to. Checks links in the header and footer first, because articles link to
 * other companies.
 */
export function profileOnPage({ $, base }: Page): string | undefined {
  const links = [
    ...$('footer a[href], header a[href], [class*="footer" i] a[href], [class*="social" i] a[href]').toArray(),
    ...$('a[href]').toArray(),
  ]
  for (const link of links) {
    const href = $(link).attr('href') ?? ''
    const url = PROFILE.test(href) ? companyProfile(absoluteUrl(href, base) ?? '') : undefined
    if (url !== undefined) return url
  }
  return undefined
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
    if (!/logo/i.test(calls)) continue
    const isOwn =
      $(image).closest('header, nav, footer, a[href="/"], [class*="header" i], [class*="navbar" i], [class*="brand" i]')
        .length > 0
    if (
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
  const plain = decode(text)
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

/**
 * Matches text that contains only a number, with an optional extension. Without this check, the parser would also find
 * numbers within other text.
 */
const WHOLE_NUMBER = /^[+＋]?[\d\s().\-‐-―/[\]~]+(?:(?:;ext=|[ ,;]*(?:ext(?:ension)?|extn|x|#)[:.\s]*)\d{1,7}#?)?$/i
const AMERICAN = /^(?:1[ .-]?)?\(?[2-9]\d{2}\)?[ .-]{1,3}\d{3}[ .-]\d{4}$/
