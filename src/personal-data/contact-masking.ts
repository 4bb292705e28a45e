/** Replacements for the local part of an address and for a phone number. */
const MASK = '***'
/** The prefix of every masked address. */
const MASKED_ADDRESS = `${MASK}@`
const EMAIL = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]+(?:@|%40)(?=[\p{L}\p{N}-]+\.[\p{L}\p{N}])/giu

/**
 * Returns a JSON value in which the local part of every email address, including addresses within texts, is `***`, and
 * every person's phone number is masked.
 */
export const maskContacts = <Value>(value: Value): Value => mask(value, false) as Value

/** Reports whether a value is a masked address or phone number. */
export const isMaskedContact = (value: unknown): boolean =>
  typeof value === 'string' && (value === MASK || value.startsWith(MASKED_ADDRESS))

function mask(value: unknown, ofPerson: boolean): unknown {
  if (typeof value === 'string') return value.replaceAll(EMAIL, MASKED_ADDRESS)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (Array.isArray(value)) return value.map((item) => mask(item, ofPerson))
  const isPerson = ofPerson || describesPerson(value)
  const isPhone = isPerson && 'field' in value && value.field === 'phone'
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (isPerson && name === 'phone') return [name, hide(inner)]
      if (isPhone && CHANGED.has(name)) return [name, hide(inner)]
      return [name, mask(inner, isPerson)]
    }),
  )
}

/** Keys that occur only in records and events about people. In events about companies, `person_id` is null. */
const describesPerson = (value: object): boolean =>
  ['person_id', 'email_hash', 'email_status'].some((name) => (value as Record<string, unknown>)[name] != null) ||
  ('entity' in value && value.entity === 'person')

/** An event's old and new values. */
const CHANGED: ReadonlySet<string> = new Set(['old_value', 'new_value'])

/** Masks a phone number, or a phone number's provenance. */
function hide(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? value : MASK
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(hide)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      VALUES.has(name) || typeof inner === 'object' ? hide(inner) : inner,
    ]),
  )
}

/** Keys of a provenance entry that hold the field's value. */
const VALUES: ReadonlySet<string> = new Set(['value', 'raw'])
