import type { Page } from '../extract/page.ts'
import { linesOf } from '../extract/page.ts'
import { readAlternatives } from '../vocabulary/read-words.ts'
import { labelOf, squeeze } from './own-name.ts'

/** Matches one or more legal forms after a name, such as `, Inc.` or `Co., Ltd`. */
const FORMS = `(?:,?\\s+(?:${readAlternatives('companies/legal-forms')})\\.?)+`
const END_FORM = new RegExp(`^(?<name>.+?)${FORMS}$`, 'u')
/** Matches a name with its legal form at the start of a text. */
const LEADING = new RegExp(`^(?<name>[^|·•:;!?]{2,80}?)(?<form>${FORMS})(?=$|\\s*[,;|·•()–—-]|[.]?(?:\\s|$))`, 'u')

/** Whether a name ends in a legal form, such as `LLC` or `GmbH`. */
export const hasLegalForm = (name: string): boolean => END_FORM.test(name)

/** Returns a name without its legal form. */
export const withoutLegalForm = (name: string): string => END_FORM.exec(name)?.groups?.['name'] ?? name

const COPYRIGHT = /©|\(c\)|copyright/i

/**
 * Finds the legal name on a page, as published: the copyright holder (`© 2019-2024 Acme Capital, LLC. All rights
 * reserved.`), otherwise a name with a legal form that starts a line and matches the domain, as in an imprint.
 */
export function legalNameOnPage({ $ }: Page, domain: string): string | undefined {
  const scope = $('footer, [class*="footer" i], [id*="footer" i], [role="contentinfo"]')
  const all = linesOf($('body'))
  const copyright = (scope.length > 0 ? linesOf(scope) : all).filter((text) => COPYRIGHT.test(text)).slice(-5)
  for (const line of copyright) {
    // The holder may precede the copyright sign: `Acme Pty Ltd © 2026`.
    const holder = leadingLegalName(copyrightHolder(line) || line.replace(/\s*(?:©|\(c\)|copyright).*$/i, ''))
    if (holder) return holder
  }
  const label = labelOf(domain)
  return all
    .filter((line) => line.length <= 320)
    .map((line) => leadingLegalName(line.replace(/^(?:imprint|impressum|contact|address)\s*:?\s+/i, '')))
    .find((name) => name !== undefined && isNamedBy(name, label))
}

function leadingLegalName(text: string): string | undefined {
  const { name = '', form = '' } = LEADING.exec(text.trim())?.groups ?? {}
  return name === '' || !/^[\p{Lu}\p{Number}]/u.test(name) ? undefined : withOwnDot(name + form)
}

/**
 * Keeps the final dot of abbreviations such as `Inc.` and `L.P.`. Removes the dot after `LLC.`, which ends the
 * sentence.
 */
const withOwnDot = (name: string): string =>
  /\b(?:Inc|Ltd|Co|Corp|Pte|Pvt|Bhd|\p{Letter}\.\p{Letter}+)\.$/u.test(name) ? name : name.replace(/\.$/, '')

/**
 * Whether the legal name belongs to the domain, because one starts with the other. Other lines may name other firms.
 */
function isNamedBy(legalName: string, label: string): boolean {
  const name = squeeze(withoutLegalForm(legalName))
  return name.length >= 3 && label.length >= 3 && (name.startsWith(label) || label.startsWith(name))
}

/** Returns the holder in a copyright line: `Acme Capital` for `© 2019-2024 Acme Capital. All rights reserved`. */
export function copyrightHolder(line: string): string {
  return (
    line
      .replace(/^.*?(?:©|\(c\)|copyright)\s*(?:©|\(c\)|copyright)?\s*/i, '')
      // Long lines are truncated, because the holder comes first and the replacements below take quadratic time.
      .slice(0, 300)
      .replace(/^(?:\d{4}(?:\s*[-–—]\s*(?:\d{2,4}|present)?)?)?[\s,.|]*(?:by\s+)?/i, '')
      .replace(
        /[\s,|·•-]*\b(?:all rights reserved|alle rechte vorbehalten|tous droits réservés|privacy|terms|imprint|sitemap|site by|website by|disclosures?)\b.*$/i,
        '',
      )
      .replace(/\s*[|·•].*$/, '')
      .replace(/[\s,]*\d{4}(?:\s*[-–—]\s*\d{4})?\.?$/, '')
      .trim()
  )
}
