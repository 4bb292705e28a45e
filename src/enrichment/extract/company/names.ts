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
    const name = line
      .replace(/^.*?(?:©|\(c\)|copyright)\s*(?:©|\(c\)|copyright)?\s*/i, '')
      .replace(/^(?:\d{4}(?:\s*[-–—]\s*(?:\d{2,4}|present))?)?[\s,.|]*(?:by\s+)?/i, '')
      .replace(
        /[\s.,|·•-]*\b(?:all rights reserved|alle rechte vorbehalten|tous droits réservés|privacy|terms|imprint|sitemap|site by|website by|disclosures?)\b.*$/i,
        '',
      )
      .replace(/\s*[|·•].*$/, '')
      .replace(/[\s,]*\d{4}\.?$/, '')
      .trim()
    const whole = [name, name.replace(/\.$/, ''), name.replace(/\.\s.*$/, ''), name.replace(/\s[–—-]\s.*$/, '')].find(
      hasLegalForm,
    )
    if (whole && whole.length < 100) return whole
  }
  return undefined
}

/** The company's name in a page title: the part that fits the domain, `Acme Capital` in `About us | Acme Capital`. */
export function nameInTitle({ $ }: Page, domain: string): string | undefined {
  const title = textOf($('head > title').first()) || $('title').first().text().trim()
  const label = squeeze(domain.split('.')[0] ?? '')
  const parts = title
    .split(/\s+[|·•–—:«»]\s+|\s+-\s+|:\s+|\s+\|\s*|\s*\|\s+/)
    .map((part) => part.replace(/^(?:welcome to|about|home of|contact|team at)\s+/i, '').trim())
    .filter((part) => part.length > 1 && part.length < 70)
  return parts.find((part) => fits(part, label))
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
