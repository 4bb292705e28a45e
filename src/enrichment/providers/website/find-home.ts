import type { Fetched, FetchedPage } from '../../fetching/fetched.ts'
import type { Fetcher } from '../../fetching/fetcher.ts'

/**
 * A company's home page, by https or http, with or without `www.`. Another spelling is tried only when nobody spoke HTTP under the
 * last one or it had no page: a site that refuses, or is too slow, is not asked four times.
 */
export async function findHome(fetcher: Fetcher, domain: string, signal: AbortSignal): Promise<Fetched> {
  let last: Fetched | undefined
  for (const origin of [`https://${domain}`, `https://www.${domain}`, `http://${domain}`, `http://www.${domain}`]) {
    const fetched = await fetcher.get(`${origin}/`, { signal })
    if (fetched.outcome === 'page')
      return isHtml(fetched)
        ? fetched
        : { outcome: 'missing', url: fetched.url, reason: 'the home page is no web page' }
    const goOn = fetched.outcome === 'missing' || fetched.unconnected
    // "Unreachable" tells more than "no such name", whichever came last.
    if (!last || last.outcome === 'missing') last = fetched
    if (!goOn) return fetched
  }
  return last as Fetched
}

/** Is this a page for people? Servers that name no type send one more often than not. */
export const isHtml = ({ contentType, body }: FetchedPage): boolean =>
  /html/.test(contentType) ||
  ((contentType === '' || contentType === 'text/plain') &&
    /<(?:!doctype html|html|head|title|body)\b/i.test(body.subarray(0, 2000).toString('latin1')))

/** Signs of a domain that nobody uses: for sale, parked, or fresh from the hoster. */
export const isParked = (text: string): boolean =>
  text.length < 4000 &&
  /\b(?:this )?domain (?:name )?(?:is|may be) for sale|buy this domain|domain (?:has been |is )?parked|parked (?:free|domain)|welcome to nginx|apache2? (?:ubuntu |debian )?default page|future home of something|website coming soon|account suspended/i.test(
    text,
  )
