import type { Fetched, FetchedPage } from '../../fetching/fetched.ts'
import type { Fetcher } from '../../fetching/fetcher.ts'

/**
 * Fetches a company's home page over https or http, with or without `www.`. Tries the next variant only if the page is
 * missing or the connection failed before HTTP, so that a refusing or slow site receives one request.
 */
export async function findHome(fetcher: Fetcher, domain: string, signal: AbortSignal): Promise<Fetched> {
  let last: Fetched | undefined
  for (const origin of [`https://${domain}`, `https://www.${domain}`, `http://${domain}`, `http://www.${domain}`]) {
    const fetched = await fetcher.get(`${origin}/`, { signal })
    if (fetched.outcome === 'page')
      return isHtml(fetched) ? fetched : { outcome: 'missing', url: fetched.url, reason: 'the home page is not HTML' }
    const triesNext = fetched.outcome === 'missing' || fetched.unconnected
    // Report the unreachable host rather than a later "name does not exist": it is the more useful reason.
    if (!last || last.outcome === 'missing') last = fetched
    if (!triesNext) return fetched
  }
  return last as Fetched
}

/** Whether the response is HTML, by its Content-Type or, if that is missing, its first bytes. */
export const isHtml = ({ contentType, body }: FetchedPage): boolean =>
  /html/.test(contentType) ||
  ((contentType === '' || contentType === 'text/plain') &&
    /<(?:!doctype html|html|head|title|body)\b/i.test(body.subarray(0, 2000).toString('latin1')))

/** Whether the text is from an unused domain: for sale, parked, or a hosting provider's default page. */
export const isParked = (text: string): boolean =>
  text.length < 4000 &&
  /\b(?:this )?domain (?:name )?(?:is|may be) for sale|buy this domain|domain (?:has been |is )?parked|parked (?:free|domain)|welcome to nginx|apache2? (?:ubuntu |debian )?default page|future home of something|website coming soon|account suspended/i.test(
    text,
  )
