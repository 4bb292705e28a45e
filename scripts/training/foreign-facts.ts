import type { SeededRandom } from '../../src/demo/seeded-random.ts'
import { mulberry32, randomOf } from '../../src/demo/seeded-random.ts'

/** An invented page that mostly states facts about other organizations, and the company's own facts. */
export interface ForeignFactPage {
  domain: string
  html: string
  /** Two-letter country code of the page's telephone numbers. */
  country: string
  facts: Record<string, string | number>
}

interface Place {
  street: string
  city: string
  state?: string
  code: string
  country: string
  phone: string
}

/**
 * Templates in one language. `NAME` is the other organization, `OWN` the company, `PLACE` an address and `TEL` a
 * telephone number.
 */
interface Phrases {
  language: string
  places: readonly Place[]
  forms: readonly string[]
  kinds: readonly string[]
  /** Sections about another organization: a heading and its paragraphs. */
  others: readonly (readonly string[])[]
  /** Headings above the company's own address. */
  own: readonly string[]
  phone: readonly string[]
  /** Sentences with the company's address. */
  visit: readonly string[]
  founded: readonly string[]
  /** Texts for pages that are not about a company. */
  diaries: readonly (readonly string[])[]
}

const PHRASES: readonly Phrases[] = [
  {
    language: 'en',
    places: [
      { street: '512 Gravel Avenue', city: 'Boise', state: 'ID', code: '83702', country: 'US', phone: '(208) 555-0' },
      { street: '88 Quarry Street', city: 'Dayton', state: 'OH', code: '45402', country: 'US', phone: '937-555-0' },
      { street: '1400 Larkin Blvd', city: 'Tucson', state: 'AZ', code: '85701', country: 'US', phone: '520 555 0' },
      {
        street: '9 Harbor Road, Suite 4',
        city: 'Tampa',
        state: 'FL',
        code: '33602',
        country: 'US',
        phone: '(813) 555-0',
      },
      { street: '31 Millgate', city: 'York', code: 'YO1 7AB', country: 'GB', phone: '01904 496 ' },
      { street: '7 Ferry Lane', city: 'Bristol', code: 'BS1 5QT', country: 'GB', phone: '0117 496 0' },
    ],
    forms: ['LLC', 'Inc.', 'Ltd', 'Corporation', 'plc'],
    kinds: ['Advisory', 'Logistics', 'Studio', 'Foods', 'Instruments', 'Partners'],
    others: [
      ['Client story', 'NAME was set up in {Y} and has {N} employees.', 'Its main plant is at PLACE.'],
      ['How NAME halved its waste', 'NAME, established in {Y}, runs {N} ovens. The company is based at PLACE.'],
      ['Winter fair', 'Venue: NAME Hall, PLACE', 'Tickets: TEL'],
      ['Upcoming events', 'Join us at the NAME Conference Center, PLACE. Doors open at 9.'],
      ['Where our coffee comes from', 'We buy from NAME FORM, PLACE, growers since {Y}.'],
      ['Engineer wanted', 'Our client NAME FORM is hiring {N} people. The job is at PLACE. Apply: TEL'],
      ['In the news', 'NAME FORM opened its headquarters in {Y}.', 'Headquarters of NAME: PLACE'],
      ['Selected clients', 'NAME<br>PLACE<br>TEL', 'NAME FORM<br>PLACE'],
      ['Stockists', 'NAME<br>PLACE<br>TEL', 'NAME<br>PLACE<br>TEL'],
      ['Complaints', 'You may write to the NAME Ombudsman, PLACE, or call TEL.'],
      ['A visit to the archive', 'The NAME Trust, founded in {Y}, employs {N} people.', 'Trust office: PLACE'],
      ['Custody', 'Assets are held at NAME Bank FORM, PLACE, founded in {Y} with {N} staff.'],
    ],
    own: ['Head office', 'Visit us', 'Our office', 'Contact', ''],
    phone: ['Tel. ', 'Phone: ', 'Call us: ', ''],
    visit: ['OWN is located at PLACE.', 'You find our workshop at PLACE.', 'Our office is at PLACE.'],
    founded: ['OWN was founded in {Y}.', 'Since {Y} we have served the region.', 'Established {Y}'],
    diaries: [
      ['Notes from the allotment', 'I have kept bees since {Y}. My hives come from NAME FORM, PLACE.'],
      [
        'Big sale today',
        'Since {Y} the prices have fallen. {N} people bought this.',
        'Returns go to NAME FORM, PLACE. Call TEL.',
      ],
      ['This domain is for sale', 'Ask the NAME brokers: TEL. NAME FORM, PLACE'],
      ['Walks along the canal', 'The lock was built in {Y} by {N} men. Parking: PLACE'],
    ],
  },
  {
    language: 'de',
    places: [
      { street: 'Lindenweg 14', city: 'Kassel', code: '34117', country: 'DE', phone: '0561 9988 ' },
      { street: 'Am Speicher 3', city: 'Bremen', code: '28195', country: 'DE', phone: '+49 421 5550 ' },
      { street: 'Hofgasse 21', city: 'Erfurt', code: '99084', country: 'DE', phone: '0361 4400 ' },
    ],
    forms: ['GmbH', 'AG', 'e.V.', 'KG'],
    kinds: ['Bau', 'Technik', 'Beratung', 'Verlag', 'Druck'],
    others: [
      ['Referenz', 'NAME FORM wurde {Y} gegründet und hat {N} Mitarbeiter.', 'Das Werk steht in der PLACE.'],
      ['Veranstaltung', 'Ort: NAME Halle, PLACE', 'Karten: TEL'],
      ['Stellenangebot', 'Unser Kunde NAME FORM sucht Verstärkung. Arbeitsort: PLACE'],
      ['Händler', 'NAME FORM<br>PLACE<br>TEL', 'NAME<br>PLACE<br>TEL'],
      ['Aufsichtsbehörde', 'NAME Landesamt<br>PLACE<br>TEL'],
      ['Hosting', 'NAME FORM, PLACE, seit {Y}'],
    ],
    own: ['Anschrift', 'Kontakt', 'So finden Sie uns', ''],
    phone: ['Tel. ', 'Telefon: ', ''],
    visit: ['Unser Büro ist in der PLACE.', 'OWN, PLACE'],
    founded: ['OWN wurde {Y} gegründet.', 'Seit {Y} arbeiten wir für die Region.'],
    diaries: [
      ['Mein Gartentagebuch', 'Seit {Y} sammle ich Tomaten. Die Samen kommen von NAME FORM, PLACE.'],
      ['Ausflugstipp', 'Das Schloss wurde {Y} gebaut. Parkplatz: PLACE'],
    ],
  },
  {
    language: 'fr',
    places: [
      { street: '12 rue des Tanneurs', city: 'Amiens', code: '80000', country: 'FR', phone: '03 22 55 50 ' },
      { street: '5 quai Vauban', city: 'Besançon', code: '25000', country: 'FR', phone: '+33 3 81 55 50 ' },
      { street: '40 avenue du Port', city: 'Vannes', code: '56000', country: 'FR', phone: '02 97 55 50 ' },
    ],
    forms: ['SARL', 'SAS', 'S.A.'],
    kinds: ['Conseil', 'Atelier', 'Transports', 'Édition'],
    others: [
      ['Étude de cas', 'NAME, fondée en {Y}, emploie {N} personnes.', 'Son usine se trouve au PLACE.'],
      ['Événement', 'Lieu : Salle NAME, PLACE', 'Réservations : TEL'],
      ['Nos revendeurs', 'NAME SARL<br>PLACE<br>TEL', 'NAME<br>PLACE<br>TEL'],
      ['Hébergeur', 'NAME FORM, PLACE, TEL'],
    ],
    own: ['Siège', 'Contact', 'Adresse', ''],
    phone: ['Tél. ', 'Téléphone : ', ''],
    visit: ['Notre atelier se trouve au PLACE.', 'OWN, PLACE'],
    founded: ['OWN a été fondée en {Y}.', 'Depuis {Y}, nous travaillons le bois.'],
    diaries: [['Mon carnet de cuisine', 'Depuis {Y}, je note mes recettes. Le miel vient de NAME FORM, PLACE.']],
  },
]

const STEMS =
  'Alder Bramber Corvane Dunmire Eskell Farlow Garnet Hollin Ivell Jorvik Kestrel Lomond Marrow Nettle'.split(' ')
const ENDS = 'wick stone field mere gate brook ridge vale'.split(' ')

function invent({ between, chance, next, pick }: SeededRandom): ForeignFactPage {
  const phrases = pick(PHRASES)
  const year = (): number => between(1880, 2019)
  const numbered = (place: Place): Place => ({
    ...place,
    street: place.street.replace(/\d+/u, () => String(between(1, 199))),
    phone: place.phone + String(between(100, 189)).slice(place.phone.endsWith('0') ? 0 : 1),
  })
  const line = ({ street, city, state, code }: Place): string =>
    state
      ? `${street}, ${city}, ${state} ${code}`
      : phrases.language === 'en'
        ? `${street}, ${city} ${code}`
        : `${street}, ${code} ${city}`
  const stem = (): string => `${pick(STEMS)}${pick(ENDS)}`
  const fill = (text: string, name: string, place: Place): string =>
    text
      .replaceAll('NAME', name)
      .replace('FORM', pick(phrases.forms))
      .replace('PLACE', line(place))
      .replace('TEL', place.phone)
      .replace('{Y}', String(year()))
      .replace('{N}', String(between(3, 402)))
  const home = numbered(pick(phrases.places))
  const elsewhere = phrases.places.filter(({ city }) => city !== home.city)
  const section = (texts: readonly string[]): string => {
    const name = `${stem()} ${pick(phrases.kinds)}`
    const place = numbered(pick(elsewhere))
    const [heading = '', ...paragraphs] = texts.map((text) => fill(text, name, place))
    return `<h2>${heading}</h2>${paragraphs.map((one) => `<p>${one}</p>`).join('')}`
  }
  const own = stem()
  const html = (title: string, body: string): string =>
    `<html lang="${phrases.language}"><head><title>${title}</title></head><body>${body}</body></html>`
  if (chance(0.25)) {
    const diary = pick(phrases.diaries)
    const domain = `${stem().toLowerCase()}-${pick(ENDS)}.example`
    return { domain, html: html(diary[0] as string, section(diary)), country: home.country, facts: {} }
  }
  const name = `${own} ${pick(phrases.kinds)}`
  const legalName = `${name} ${pick(phrases.forms)}`
  const facts: ForeignFactPage['facts'] = {}
  const parts: string[] = chance(0.7) ? [section(pick(phrases.others))] : []
  if (chance(0.4)) parts.push(section(pick(phrases.others)))
  if (chance(0.4)) {
    const founded = year()
    facts['founded_year'] = founded
    parts.unshift(`<p>${pick(phrases.founded).replace('OWN', name).replace('{Y}', String(founded))}</p>`)
  }
  const footer: string[] = []
  if (chance(0.6)) {
    facts['headquarters_city'] = home.city
    facts['headquarters_street'] = home.street
    const broken = line(home).replace(', ', '<br>')
    const style = next()
    if (style < 0.3) parts.push(`<p>${pick(phrases.visit).replace('OWN', name).replace('PLACE', line(home))}</p>`)
    else if (style < 0.65) footer.push(`${name} · ${line(home)}`)
    else parts.push(`<h3>${pick(phrases.own)}</h3><p>${chance(0.5) ? `${name}<br>` : ''}${broken}</p>`)
    // The branch comes after the head office.
    if (chance(0.25)) {
      const branch = numbered(pick(elsewhere))
      const isFooter = style >= 0.3 && style < 0.65
      if (isFooter) footer.push(line(branch))
      else parts.push(`<p>${line(branch).replace(', ', '<br>')}<br>${branch.phone}</p>`)
    }
  }
  if (chance(0.6)) {
    facts['phone'] = home.phone
    footer.push(`${pick(phrases.phone)}${home.phone}`)
  }
  if (chance(0.6)) {
    facts['legal_name'] = legalName
    footer.push(`© ${between(2015, 2025)} ${legalName}`)
  }
  return {
    domain: `${name.toLowerCase().replace(/[^a-z]+/gu, '')}.example`,
    html: html(
      `${pick(['News', 'Home', 'Stories'])} | ${name}`,
      `<header><a href="/">${name}</a></header><main>${parts.join('')}</main><footer>${footer.map((one) => `<p>${one}</p>`).join('')}</footer>`,
    ),
    country: home.country,
    facts,
  }
}

/**
 * Generates pages with facts about other organizations (clients, venues, dealers, employers), and pages that are not
 * about a company.
 */
export function foreignFactPages(count: number): ForeignFactPage[] {
  const random = randomOf(mulberry32(20_270_301))
  return Array.from({ length: count }, () => invent(random))
}
