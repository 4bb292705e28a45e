/**
 * The states that each SEC regional office covers. Two offices share California; the sample roster assigns the state to
 * Los Angeles.
 */
const STATES: Record<string, string> = {
  NYRO: 'NY NJ',
  BRO: 'MA CT NH RI VT ME',
  PLRO: 'PA VA MD DC DE WV',
  ARO: 'GA NC TN SC AL',
  MIRO: 'FL LA MS PR VI',
  CHRO: 'KY OH IL MI MN WI MO IN IA',
  FWRO: 'TX OK AR',
  DRO: 'CO UT KS NE NM WY SD ND',
  LARO: 'CA AZ NV HI',
  SFRO: 'WA OR ID MT AK',
}

const REGIONS = new Map(
  Object.entries(STATES).flatMap(([region, states]) => states.split(' ').map((state) => [state, region] as const)),
)

/** Returns the region code of a state; `HQ` for other places. */
export const regionOf = (state: string | null): string => REGIONS.get(state ?? '') ?? 'HQ'
