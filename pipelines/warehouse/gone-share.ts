/** How many live records a complete pull no longer contains. */
export interface Missing {
  live: number
  missing: number
}

/** Why missing records are not marked as gone: their share exceeds the setting's limit. Undefined if it does not. */
export function goneShareReason(
  { live, missing }: Missing,
  { noun, setting, limit }: { noun: string; setting: string; limit: number },
): string | undefined {
  if (missing <= live * limit) return undefined
  const variable = `TALHOUSE_${setting.toUpperCase().replaceAll('.', '_')}`
  const share = Math.ceil((missing / live) * 100) / 100
  return `${missing} of ${live} ${noun} are missing at the service, more than ${setting} (${limit}) allows; none were marked as gone. If this is correct, run once with ${variable}=${share}`
}
