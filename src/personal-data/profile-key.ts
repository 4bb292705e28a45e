/** A profile URL without scheme, `www.`, case, query and trailing slash, equal for spellings of one profile. */
export function profileKey(url: string): string {
  return url
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/(www\.|m\.)?/, '')
    .replace(/^(www\.|[a-z]{2}\.(?=linkedin\.com\/))/, '')
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
}
