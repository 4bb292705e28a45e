import { decodeText } from '../../fetching/decode-text.ts'
import type { FetchedPage, PageBytes } from '../../fetching/fetched.ts'

/** Returns whether the response is JSON, according to its Content-Type. */
export const isJson = ({ contentType }: FetchedPage): boolean => /\bjson\b/.test(contentType)

/** Returns a JSON document as a page that contains only this data, so that the page readers also read JSON. */
export function pageOfJson(fetched: FetchedPage): PageBytes {
  const json = decodeText(fetched).replaceAll('<', '\\u003c')
  return {
    url: fetched.url,
    charset: 'utf-8',
    body: Buffer.from(`<script type="application/json">${json}</script>`),
  }
}
