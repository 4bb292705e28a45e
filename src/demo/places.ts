import type { SeededRandom } from './seeded-random.ts'

/**
 * Location of an invented company. The city, state and country are real, but the street and telephone number are
 * invented.
 */
export interface SamplePlace {
  street: string
  city: string
  /** State; null in countries whose addresses have no state. */
  state: string | null
  postal_code: string
  /** English name. */
  country: string
  country_code: string
}

interface City {
  city: string
  state: string | null
  country: string
  country_code: string
  postal: string
  /**
   * Telephone number pattern reserved for fiction, with `#` for each digit; null if the country does not reserve
   * numbers.
   */
  phone: string | null
}

const us = (city: string, state: string, postal: string, area: string): City => ({
  city,
  state,
  country: 'United States',
  country_code: 'US',
  postal,
  phone: `+1${area}55501##`,
})

const CITIES: readonly City[] = [
  us('Boston', 'MA', '021##', '617'),
  us('Denver', 'CO', '802##', '303'),
  us('Chicago', 'IL', '606##', '312'),
  us('Austin', 'TX', '787##', '512'),
  us('Seattle', 'WA', '981##', '206'),
  us('Minneapolis', 'MN', '554##', '612'),
  us('Charlotte', 'NC', '282##', '704'),
  us('San Diego', 'CA', '921##', '619'),
  us('New York', 'NY', '100##', '212'),
  us('Portland', 'OR', '972##', '503'),
  us('St. Louis', 'MO', '631##', '314'),
  { city: 'Toronto', state: 'ON', country: 'Canada', country_code: 'CA', postal: 'M5V 2T#', phone: '+141655501##' },
  {
    city: 'London',
    state: null,
    country: 'United Kingdom',
    country_code: 'GB',
    postal: 'EC2A #BX',
    phone: '+442079460###',
  },
  {
    city: 'Edinburgh',
    state: null,
    country: 'United Kingdom',
    country_code: 'GB',
    postal: 'EH# 1YZ',
    phone: '+441314960###',
  },
  { city: 'Berlin', state: null, country: 'Germany', country_code: 'DE', postal: '101##', phone: '+4930231250##' },
  { city: 'Zürich', state: null, country: 'Switzerland', country_code: 'CH', postal: '80##', phone: null },
  { city: 'Lyon', state: null, country: 'France', country_code: 'FR', postal: '690##', phone: null },
  { city: 'Sydney', state: 'NSW', country: 'Australia', country_code: 'AU', postal: '20##', phone: '+61255501###' },
]

const STREETS = [
  'Lanternfish Way',
  'Old Compass Street',
  'Marzipan Row',
  'Nine Kettles Lane',
  'Paper Boat Quay',
  'Turnstile Avenue',
  'Umbrella Court',
  'Weathercock Road',
  'Inkwell Square',
  'Half Moon Stairs',
]

/** Generates an address and an E.164 phone number reserved for fiction. */
export function generatePlace(random: SeededRandom): { place: SamplePlace; phone: string | null } {
  // Most places are in the United States, as on the SEC rosters.
  const { postal, phone, ...city } = random.pick(random.chance(0.66) ? CITIES.slice(0, 11) : CITIES)
  const digits = (pattern: string): string => pattern.replaceAll('#', () => String(random.between(0, 9)))
  return {
    place: { street: `${random.between(1, 980)} ${random.pick(STREETS)}`, postal_code: digits(postal), ...city },
    phone: phone && digits(phone),
  }
}
