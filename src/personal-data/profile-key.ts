/**
 * Returns a comparison key for a profile URL. The key ignores the scheme, `www.`, mobile and language subdomains, case,
 * query and trailing slashes.
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
