/** The properties that talhouse uses from an entity returned by `wbgetentities`. */
export interface Entity {
  id: string
  labels?: Record<string, { value: string }>
  claims?: Record<string, Claim[]>
}

interface Snak {
  snaktype: string
  datavalue?: { value: unknown }
}

export interface Claim {
  rank: 'preferred' | 'normal' | 'deprecated'
  mainsnak: Snak
  qualifiers?: Record<string, Snak[]>
}

/** Wikidata property ids. */
export const P = {
  website: 'P856',
  employees: 'P1128',
  industry: 'P452',
  headquarters: 'P159',
  country: 'P17',
  inception: 'P571',
  officialName: 'P1448',
  logo: 'P154',
  phone: 'P1329',
  profile: 'P4264',
  street: 'P6375',
  postalCode: 'P281',
  pointInTime: 'P585',
  endTime: 'P582',
} as const

/**
 * Returns the current claims, newest first: preferred claims if there are any, otherwise normal claims. Excludes
 * deprecated and ended claims.
 */
export function currentClaims(entity: Entity, property: string): Claim[] {
  const valid = (entity.claims?.[property] ?? []).filter(
    ({ rank, mainsnak, qualifiers }) =>
      rank !== 'deprecated' && mainsnak.snaktype === 'value' && !qualifiers?.[P.endTime],
  )
  const preferred = valid.filter(({ rank }) => rank === 'preferred')
  return (preferred.length > 0 ? preferred : valid).toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)))
}

const timeOf = ({ qualifiers }: Claim): string => timeIn(qualifiers?.[P.pointInTime]?.[0]?.datavalue?.value) ?? ''

const timeIn = (value: unknown): string | undefined => (value as { time?: string } | undefined)?.time

const dataOf = (claim: Claim | undefined): unknown => claim?.mainsnak.datavalue?.value

export const textIn = (claim: Claim | undefined): string | undefined => {
  const value = dataOf(claim)
  return typeof value === 'string' ? value : (value as { text?: string } | undefined)?.text
}

export const numberIn = (claim: Claim | undefined): number | undefined => {
  const amount = (dataOf(claim) as { amount?: string } | undefined)?.amount
  return amount === undefined ? undefined : Number(amount)
}

export const itemIn = (claim: Claim | undefined): string | undefined =>
  (dataOf(claim) as { id?: string } | undefined)?.id

/** Returns the year of a time claim: 1998 for `+1998-00-00T00:00:00Z`. */
export const yearIn = (claim: Claim | undefined): number | undefined => {
  const year = Number(/^\+(\d{4})-/.exec(timeIn(dataOf(claim)) ?? '')?.[1])
  return Number.isNaN(year) ? undefined : year
}

export const qualifierText = (claim: Claim | undefined, property: string): string | undefined => {
  const value = claim?.qualifiers?.[property]?.[0]?.datavalue?.value
  return typeof value === 'string' ? value : (value as { text?: string } | undefined)?.text
}

export const qualifierItem = (claim: Claim | undefined, property: string): string | undefined =>
  (claim?.qualifiers?.[property]?.[0]?.datavalue?.value as { id?: string } | undefined)?.id

export const labelOf = ({ labels }: Entity): string | undefined =>
  labels?.['en']?.value ?? labels?.['mul']?.value ?? Object.values(labels ?? {})[0]?.value
