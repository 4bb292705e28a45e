import { decodeText } from '../../fetching/decode-text.ts'
import type { FetchedPage, PageBytes } from '../../fetching/fetched.ts'

/** Returns whether the response is JSON, based on its Content-Type. */
export const isJson = ({ contentType }: FetchedPage): boolean => /\bjson\b/.test(contentType)

/** Wraps a JSON document in a page that contains only this data, so that the page readers can also read JSON. */
export function pageOfJson(fetched: FetchedPage): PageBytes {
  const json = decodeText(fetched).replaceAll('<', '\\u003c')
  return {
    url: fetched.url,
    charset: 'utf-8',
    body: Buffer.from(`<script type="application/json">${json}</script>`),
  }
}
