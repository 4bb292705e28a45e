/** Returns a function that calls `create` on its first call, and returns the result of that call every time. */
export function onFirstUse<Result>(create: () => Result): () => Result {
  let created: { result: Result } | undefined
  return () => {
    created ??= { result: create() }
    return created.result
  }
}
