import { useLocation } from 'preact-iso'
import { withQuery } from './http.ts'

type Values = Record<string, string | number | undefined>

/** The query of the address, and a function that changes parts of it. Every view has an address that can be shared. */
export function useQuery(): { query: Record<string, string>; change: (values: Values, isReplaced?: boolean) => void } {
  const { path, query, route } = useLocation()
  return { query, change: (values, isReplaced = false) => route(withQuery(path, { ...query, ...values }), isReplaced) }
}
