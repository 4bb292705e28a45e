/**
 * Runs `task` with a signal that is aborted when one of `signals` is aborted or after `timeout` milliseconds. Removes
 * its listeners afterwards. With `AbortSignal.any`, a long-lived signal would keep references to all requests until the
 * next garbage collection.
 */
export async function withSignal<Result>(
  signals: readonly AbortSignal[],
  timeout: number | undefined,
  task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const listeners = signals.map((signal) => {
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    return () => signal.removeEventListener('abort', abort)
  })
  const timer = timeout === undefined ? undefined : setTimeout(() => controller.abort(), timeout)
  try {
    return await task(controller.signal)
  } finally {
    clearTimeout(timer)
    for (const remove of listeners) remove()
  }
}

/** Waits for the delay. Throws the signal's reason if the signal is aborted first. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
  signal.throwIfAborted()
}
