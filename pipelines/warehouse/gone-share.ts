/** The number of current records missing from a complete pull. */
export interface Missing {
  live: number
  missing: number
}

/**
 * Why missing records are not marked as gone, if their share exceeds the limit in the settings; undefined otherwise.
 */
export function goneShareReason(
  { live, missing }: Missing,
  { noun, setting, limit }: { noun: string; setting: string; limit: number },
): string | undefined {
  if (missing <= live * limit) return undefined
  const variable = `TALHOUSE_${setting.toUpperCase().replaceAll('.', '_')}`
  const share = Math.ceil((missing / live) * 100) / 100
  return `${missing} of ${live} ${noun} are missing at the service, more than ${setting} (${limit}) allows, so none were marked as gone. If they are really gone, run once with ${variable}=${share}`
}
