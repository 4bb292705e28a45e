import { readAlternatives } from '../vocabulary/read-words.ts'

/** Matches one or more legal forms after a name, such as `, Inc.` or `Co., Ltd`. */
const FORMS = `(?:,?\\s+(?:${readAlternatives('companies/legal-forms')})\\.?)+`
const END_FORM = new RegExp(`^(?<name>.+?)${FORMS}$`, 'u')
/** Returns whether a name ends in a legal form, such as `LLC` or `GmbH`. */
export const hasLegalForm = (name: string): boolean => END_FORM.test(name)

/** Returns a name without its legal form. */
export const withoutLegalForm = (name: string): string => END_FORM.exec(name)?.groups?.['name'] ?? name

/** Returns the copyright holder named in a line: `Acme Capital` for `© 2019-2024 Acme Capital, all rights reserved`. */
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
