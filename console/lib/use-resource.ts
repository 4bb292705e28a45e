import { useCallback, useEffect, useState } from 'preact/hooks'
import type { RequestError } from './http.ts'
import { asRequestError, request } from './http.ts'

export interface Resource<Reply> {
  data: Reply | undefined
  error: RequestError | undefined
  /** Whether a request is in progress. Until it completes, `data` is the previous response, if any. */
  isLoading: boolean
  reload(): void
}

/** The latest response for each path and body, shown while the page reloads. */
const known = new Map<string, unknown>()
const MAX_KNOWN = 100

/** Clears all cached responses when the user signs out. */
export const forgetReplies = (): void => known.clear()

/**
 * Fetches a path, and fetches it again when the path or the body changes. Requests with a body use POST; the endpoint
 * must have no side effects. Sends no request if the path is undefined.
 */
export function useResource<Reply>(path: string | undefined, body?: object): Resource<Reply> {
  const [state, setState] = useState<{ place: string | undefined; data?: Reply; error?: RequestError; done: boolean }>({
    place: undefined,
    done: false,
  })
  const place = path === undefined ? undefined : body ? `${path} ${JSON.stringify(body)}` : path
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (path === undefined || place === undefined) return
    const aborter = new AbortController()
    request<Reply>(body ? 'POST' : 'GET', path, { body, signal: aborter.signal }).then(
      (data) => {
        remember(place, data)
        setState({ place, data, done: true })
      },
      (error: unknown) => {
        if (aborter.signal.aborted) return
        const problem = asRequestError(error)
        setState({ place, error: problem, done: true })
      },
    )
    return () => aborter.abort()
  }, [place, round])
  const isCurrent = state.place === place && state.done
  const data = isCurrent ? state.data : place === undefined ? undefined : (known.get(place) as Reply | undefined)
  const reload = useCallback(() => setRound((count) => count + 1), [])
  return { data, error: isCurrent ? state.error : undefined, isLoading: place !== undefined && !isCurrent, reload }
}

function remember(path: string, reply: unknown): void {
  known.delete(path)
  known.set(path, reply)
  const [oldest] = known.keys()
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
}
