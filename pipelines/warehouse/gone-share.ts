/** The number of live records, and the number of live records that are missing from a complete pull. */
export interface Missing {
  live: number
  missing: number
}

/**
 * The reason missing records are not marked as gone. Undefined if their share does not exceed the limit in the
 * settings.
 */
export function goneShareReason(
  { live, missing }: Missing,
  { noun, setting, limit }: { noun: string; setting: string; limit: number },
): string | undefined {
  if (missing <= live * limit) return undefined
  const variable = `TALHOUSE_${setting.toUpperCase().replaceAll('.', '_')}`
  const share = Math.ceil((missing / live) * 100) / 100
  return `${missing} of ${live} ${noun} are missing from the service. This is more than ${setting} (${limit}) allows, so none were marked as gone. If they are really gone, run once with ${variable}=${share}`
}
