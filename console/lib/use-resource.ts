import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { RequestError } from './http.ts'
import { asRequestError, get } from './http.ts'

export interface Resource<Reply> {
  data: Reply | undefined
  error: RequestError | undefined
  /** Whether a request is in progress; `data` is the previous response, if any. */
  isLoading: boolean
  reload(): void
}

/** The latest response for each path, shown while the page reloads. */
const known = new Map<string, unknown>()
const MAX_KNOWN = 100

/** Clears all cached responses when the user signs out. */
export const forgetReplies = (): void => known.clear()

/** Reads a path, and reads again when the path changes. Sends no request if the path is undefined. */
export function useResource<Reply>(path: string | undefined): Resource<Reply> {
  const [state, setState] = useState<{ path: string | undefined; data?: Reply; error?: RequestError; done: boolean }>({
    path: undefined,
    done: false,
  })
  const [round, setRound] = useState(0)
  const latest = useRef<string | undefined>(undefined)
  useEffect(() => {
    latest.current = path
    if (path === undefined) return
    const aborter = new AbortController()
    get<Reply>(path, aborter.signal).then(
      (data) => {
        remember(path, data)
        setState({ path, data, done: true })
      },
      (error: unknown) => {
        if (aborter.signal.aborted) return
        const problem = asRequestError(error)
        setState({ path, error: problem, done: true })
      },
    )
    return () => aborter.abort()
  }, [path, round])
  const isCurrent = state.path === path && state.done
  const data = isCurrent ? state.data : path === undefined ? undefined : (known.get(path) as Reply | undefined)
  const reload = useCallback(() => setRound((count) => count + 1), [])
  return { data, error: isCurrent ? state.error : undefined, isLoading: path !== undefined && !isCurrent, reload }
}

function remember(path: string, reply: unknown): void {
  known.delete(path)
  known.set(path, reply)
  const [oldest] = known.keys()
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
}
