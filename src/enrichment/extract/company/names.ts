import type { Page } from '../page.ts'
import { linesOf, textOf } from '../page.ts'

const FORMS =
  '(?:,?\\s+(?:Inc|Incorporated|LLC|L\\.L\\.C|LLP|L\\.L\\.P|LP|L\\.P|Ltd|Limited|PLC|plc|Corp|Corporation|Co|Company|GmbH|AG|SA|S\\.A|SAS|SARL|BV|B\\.V|NV|N\\.V|AB|Oy|ApS|A/S|AS|SE|KG|Pty\\.? Ltd|Pty Limited|PBC|GmbH & Co\\. KG|S\\.p\\.A|S\\.r\\.l|K\\.K)\\.?)'
const WITH_FORM = new RegExp(`^(?<name>.+?)${FORMS}$`, 'u')

/** Does a name end in a legal form, such as `LLC` or `GmbH`? */
export const hasLegalForm = (name: string): boolean => WITH_FORM.test(name)

/** The legal name in a copyright line: `© 2019-2024 Acme Capital, LLC. All rights reserved.` */
export function legalNameInFooter({ $ }: Page): string | undefined {
  const scope = $('footer, [class*="footer" i], [id*="footer" i], [role="contentinfo"]')
  const lines = linesOf(scope.length > 0 ? scope : $('body'))
  for (const line of lines.filter((text) => /©|\(c\)|copyright/i.test(text)).slice(-5)) {
    // `Acme Pty Ltd © 2026`: the holder may stand before the sign.
    const name = copyrightHolder(line) || line.replace(/\s*(?:©|\(c\)|copyright).*$/i, '').trim()
    const whole = [name, name.replace(/\.$/, ''), name.replace(/\.\s.*$/, ''), name.replace(/\s[–—-]\s.*$/, '')].find(
      hasLegalForm,
    )
    // The last dot of `L.P.` is its own and not the sentence's.
    if (whole && whole.length < 100) return /\.[A-Z]$/.test(whole) && line.includes(`${whole}.`) ? `${whole}.` : whole
  }
  return undefined
}

/** `© 2019-2024 Acme Capital. All rights reserved` -> `Acme Capital`. */
function copyrightHolder(line: string): string {
  return line
    .replace(/^.*?(?:©|\(c\)|copyright)\s*(?:©|\(c\)|copyright)?\s*/i, '')
    .replace(/^(?:\d{4}(?:\s*[-–—]\s*(?:\d{2,4}|present)?)?)?[\s,.|]*(?:by\s+)?/i, '')
    .replace(
      /(?<![\s.,|·•-])[\s.,|·•-]*\b(?:all rights reserved|alle rechte vorbehalten|tous droits réservés|privacy|terms|imprint|sitemap|site by|website by|disclosures?)\b.*$/i,
      '',
    )
    .replace(/\s*[|·•].*$/, '')
    .replace(/[\s,]*\d{4}\.?$/, '')
    .trim()
}

/** The company's name in a page title: the part that fits the domain, `Acme Capital` in `About us | Acme Capital`. */
export function nameInTitle({ $ }: Page, domain: string): string | undefined {
  const title = textOf($('head > title').first()) || $('title').first().text().trim()
  const label = squeeze(domain.split('.')[0] ?? '')
  const parts = nameParts(title, label)
  return parts.find((part) => fits(part, label))
}

/** The company's name on a page whose title does not tell it: in its logo's words, its first heading or its copyright, where it fits the domain. */
export function nameOnPage({ $ }: Page, domain: string): string | undefined {
  const label = squeeze(domain.split('.')[0] ?? '')
  const logos = $(
    'header img[alt], [class*="logo" i] img[alt], img[class*="logo" i][alt], img[src*="logo" i][alt], a[href="/"] img[alt]',
  )
    .toArray()
    .map((image) => ($(image).attr('alt') ?? '').replace(/\s*\blogo\b\s*/i, ' ').trim())
  const headings = $('h1, [class*="site-title" i], [class*="brand" i]')
    .slice(0, 6)
    .toArray()
    .map((node) => textOf(node))
  const footer = linesOf($('footer, [class*="footer" i], [id*="footer" i]'))
    .filter((line) => /©|copyright/i.test(line))
    .map(copyrightHolder)
  return [...logos, ...headings, ...footer].flatMap((text) => nameParts(text, label)).find((part) => fits(part, label))
}

function nameParts(text: string, label: string): string[] {
  const parts = text
    .split(/\s+[|·•–—:«»]\s+|\s+-\s+|:\s+|\s+\|\s*|\s*\|\s+/)
    .map((part) => part.replace(/^(?:welcome to|about|home of|contact|team at)\s+/i, '').trim())
    .filter((part) => part.length > 1 && part.length < 70)
  // `Acme Builders, custom homes in Ghent`: a comma parts a name from its praise, or is part of the name.
  return parts.flatMap((part) => {
    const pieces = part.split(/\s*[,.]\s+/)
    const piece = hasLegalForm(part) ? undefined : pieces.find((one) => fits(one, label))
    return piece === undefined ? [part, ...pieces] : [piece]
  })
}

/** All of the name is in the domain, all of the domain in the name, or its initials are the domain. */
function fits(part: string, label: string): boolean {
  const whole = squeeze(part)
  const bare = squeeze(part.replace(new RegExp(`${FORMS}$`, 'u'), ''))
  const initials = squeeze(
    part
      .split(/\s+/)
      .map((word) => word[0] ?? '')
      .join(''),
  )
  if (label.length < 2) return false
  return (
    whole === label ||
    bare === label ||
    (label.length >= 4 && whole.startsWith(label)) ||
    (bare.length >= 5 && label.startsWith(bare)) ||
    (label.length >= 3 && initials === label)
  )
}

const squeeze = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/&/g, 'and')
    .replace(/[^\p{Letter}\p{Number}]/gu, '')
