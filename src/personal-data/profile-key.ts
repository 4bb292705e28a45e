/**
 * A key of a profile URL, equal for different spellings of the same URL. Ignores scheme, `www.`, case, query and
 * trailing slash.
 */
export function profileKey(url: string): string {
  return url
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/(www\.|m\.)?/, '')
    .replace(/^(www\.|[a-z]{2}\.(?=linkedin\.com\/))/, '')
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
}
