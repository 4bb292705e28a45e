/** Formats the time since an event: `today`, `yesterday`, `12 days ago`, `3 months ago`. */
export function ageOf(moment: string, now: Date): string {
  const days = Math.floor((now.getTime() - Date.parse(moment)) / 86_400_000)
  if (days < 1) return 'today'
  if (days === 1) return 'yesterday'
  if (days < 60) return `${days} days ago`
  if (days < 730) return `${Math.round(days / 30.4)} months ago`
  return `${Math.round(days / 365.25)} years ago`
}
