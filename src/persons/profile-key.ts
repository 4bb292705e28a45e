/** A profile address without what does not tell two profiles apart: scheme, `www.`, case, query, closing slash. */
export function profileKey(url: string): string {
  return url
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/(www\.)?/, '')
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
}
