import { useLocation } from 'preact-iso'
import { withQuery } from './http.ts'

type Values = Record<string, string | number | undefined>

/**
 * Returns the query parameters in the address, and a function that changes some of them. Every view has a shareable
 * address.
 */
export function useQuery(): { query: Record<string, string>; change: (values: Values, isReplaced?: boolean) => void } {
  const { path, query, route } = useLocation()
  return { query, change: (values, isReplaced = false) => route(withQuery(path, { ...query, ...values }), isReplaced) }
}
