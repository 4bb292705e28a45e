import { useLocation } from 'preact-iso'
import { withQuery } from './http.ts'

type Values = Record<string, string | number | undefined>

interface AddressQuery {
  query: Record<string, string>
  /** Returns the current address with some query parameters changed. */
  href(values: Values): string
  change(values: Values, isReplaced?: boolean): void
}

/** Returns the query parameters in the address, and functions that change them. Every view has a shareable address. */
export function useQuery(): AddressQuery {
  const { path, query, route } = useLocation()
  const href = (values: Values) => withQuery(path, { ...query, ...values })
  return { query, href, change: (values, isReplaced = false) => route(href(values), isReplaced) }
}
