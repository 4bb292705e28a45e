/** Escapes text for HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A template tag that escapes all values except the results of `raw(...)`. */
export function html(
  strings: TemplateStringsArray,
  ...gaps: (string | number | Raw | (string | Raw)[] | null | undefined)[]
): Raw {
  const parts = strings.map((part, index) => part + (index < gaps.length ? fill(gaps[index]) : ''))
  return raw(parts.join(''))
}

export interface Raw {
  readonly html: string
}

export const raw = (text: string): Raw => ({ html: text })

function fill(gap: string | number | Raw | (string | Raw)[] | null | undefined): string {
  if (gap === null || gap === undefined) return ''
  if (Array.isArray(gap)) return gap.map(fill).join('')
  return typeof gap === 'object' ? gap.html : escapeHtml(String(gap))
}
