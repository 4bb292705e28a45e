const UPPER_BOUNDS = [10, 50, 200, 500, 1000, 5000, 10_000]

/** Returns the range that contains a headcount: `1-10`, `11-50`, … `10001+`. */
export function rangeOfHeadcount(count: number): string {
  const place = UPPER_BOUNDS.findIndex((bound) => count <= bound)
  if (place === -1) return '10001+'
  return `${place === 0 ? 1 : (UPPER_BOUNDS[place - 1] as number) + 1}-${UPPER_BOUNDS[place]}`
}
