import type { Fetched, FetchedPage } from '../../fetching/fetched.ts'
import type { Fetcher } from '../../fetching/fetcher.ts'

/**
 * Fetches a company's home page over https or http, with or without `www.`. Tries the next variant only if the page is
 * missing or the connection failed before any HTTP data was exchanged. A site that refuses or times out therefore
 * receives only one request.
 */
export async function findHome(fetcher: Fetcher, domain: string, signal: AbortSignal): Promise<Fetched> {
  let last: Fetched | undefined
  for (const origin of [`https://${domain}`, `https://www.${domain}`, `http://${domain}`, `http://www.${domain}`]) {
    const fetched = await fetcher.get(`${origin}/`, { signal })
    if (fetched.outcome === 'page')
      return isHtml(fetched) ? fetched : { outcome: 'missing', url: fetched.url, reason: 'the home page is not HTML' }
    const triesNext = fetched.outcome === 'missing' || fetched.unconnected
    // Report that the host is unreachable, even if a later variant's hostname does not exist, because the unreachable
    // host is the more useful error.
    if (!last || last.outcome === 'missing') last = fetched
    if (!triesNext) return fetched
  }
  return last as Fetched
}

/**
 * Returns whether the response is HTML, based on its Content-Type or, if that is missing or `text/plain`, on its first
 * bytes.
 */
export const isHtml = ({ contentType, body }: FetchedPage): boolean =>
  /html/.test(contentType) ||
  ((contentType === '' || contentType === 'text/plain') &&
    /<(?:!doctype html|html|head|title|body)\b/i.test(body.subarray(0, 2000).toString('latin1')))

/**
 * Returns whether a page's text indicates an unused domain: a domain for sale, a parked domain, or a hosting provider's
 * default page.
 */
export const isParked = (text: string): boolean =>
  text.length < 4000 &&
  /\b(?:this )?domain (?:name )?(?:is|may be) for sale|buy this domain|domain (?:has been |is )?parked|parked (?:free|domain)|welcome to nginx|apache2? (?:ubuntu |debian )?default page|future home of something|website coming soon|account suspended/i.test(
    text,
  )
