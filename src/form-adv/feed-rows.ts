import type { SaxesTagPlain } from 'saxes'
import { SaxesParser } from 'saxes'
import { valuesWithoutControls, withoutControls } from '../lib/control-characters.ts'
import { AppError, messageOf } from '../lib/errors.ts'
import type { FoundRow } from './build-firm.ts'
import type { RosterLayout } from './roster-layout.ts'
import { readLayout } from './roster-layout.ts'

/**
 * Roster headings by feed element and attribute. Attributes for items are not listed, because their headings are
 * derived from the attribute's name: `Q5F2C` is 5F(2)(c).
 */
const HEADINGS: Record<string, Record<string, string>> = {
  Info: {
    SECRgnCD: 'SEC Region',
    FirmCrdNb: 'Organization CRD#',
    SECNb: 'SEC#',
    BusNm: 'Primary Business Name',
    LegalNm: 'Legal Name',
    UmbrRgstn: 'Umbrella Registration',
  },
  MainAddr: {
    Strt1: 'Main Office Street Address 1',
    Strt2: 'Main Office Street Address 2',
    City: 'Main Office City',
    State: 'Main Office State',
    Cntry: 'Main Office Country',
    PostlCd: 'Main Office Postal Code',
    PhNb: 'Main Office Telephone Number',
    FaxNb: 'Main Office Facsimile Number',
  },
  MailingAddr: {
    Strt1: 'Mail Office Street Address 1',
    Strt2: 'Mail Office Street Address 2',
    City: 'Mail Office City',
    State: 'Mail Office State',
    Cntry: 'Mail Office Country',
    PostlCd: 'Mail Office Postal Code',
  },
  Rgstn: { FirmType: 'Firm Type', St: 'SEC Current Status', Dt: 'SEC Status Effective Date' },
  Filing: { Dt: 'Latest ADV Filing Date', FormVrsn: 'Form Version' },
  Item1: { Q1F5: 'Total number of offices, other than your Principal Office and place of business' },
  Item3A: { OrgFormNm: '3A', OrgFormOthNm: '3A-Other' },
  Item3C: { StateCD: '3C-State', CntryNm: '3C-Country' },
  Item5A: { TtlEmp: '5A' },
}

/** Items stored in typed fields. They are listed here, because the feed omits items without an answer. */
const TYPED_ITEMS = [
  '1N',
  '1O',
  '1P',
  '3B',
  '5B(1)',
  '5B(2)',
  '5B(3)',
  '5C(1)',
  '5C(2)',
  ...['a', 'b', 'c', 'd', 'e', 'f'].map((part) => `5F(2)(${part})`),
  '5F(3)',
  ...[1, 2, 3, 4, 5, 6, 7].map((part) => `5E(${part})`),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((part) => `5G(${part})`),
  '5I(1)',
  '7B',
  '9A(1)(a)',
  '9A(1)(b)',
  '11',
]

const NOTICES = 'Jurisdiction Notice Filed-Effective Date'
const WEBSITES = 'Website Address'
const WEBSITE_COUNT = 'Total Number of Website Addresses'
const FEED_HEADINGS = [
  ...Object.values(HEADINGS).flatMap((attributes) => Object.values(attributes)),
  ...TYPED_ITEMS,
  NOTICES,
  WEBSITES,
  WEBSITE_COUNT,
]
const INDEX = new Map(FEED_HEADINGS.map((heading, index) => [heading, index] as const))

/** Returns the feed's layout, expressed as roster columns. */
export function feedLayout(file: string): RosterLayout {
  const layout = readLayout(file, FEED_HEADINGS, ',')
  return {
    ...layout,
    name: 'IAPD feed of SEC firms',
    items: layout.items.filter(({ heading }) => heading !== WEBSITES),
  }
}

/** Translates `Q5F2C` to `5F(2)(c)`, `Q11H1A` to `11H(1)(a)`, `Q5DA1` to `5D(a)(1)` and `Q3B` to `3B`. */
export function itemHeading(attribute: string): string | undefined {
  const [, item, rest = ''] = /^Q(\d+[A-Z]?)([A-Z0-9]*)$/.exec(attribute) ?? []
  if (!item) return undefined
  return item + (rest.match(/\d+|[A-Z]/g) ?? []).map((part) => `(${part.toLowerCase()})`).join('')
}

/**
 * Streams the firms in an IAPD feed (`IAPDFirmSECReport`). Throws `bad_input` if the document is not a feed, or is
 * malformed or truncated.
 */
export async function* readFeedRows(file: string, text: AsyncIterable<string>): AsyncGenerator<FoundRow> {
  const parser = new SaxesParser()
  const ready: FoundRow[] = []
  let open: OpenFirm | undefined
  let count = 0
  let failure: AppError | undefined
  parser.on('error', (error) => {
    failure ??= new AppError(
      'bad_input',
      `${file} is truncated or malformed XML: ${messageOf(error)}. No rows were imported.`,
    )
  })
  parser.on('opentag', (tag) => {
    if (count === 0 && !open) failure ??= wrongFeed(file, tag.name)
    if (tag.name === 'Firm') {
      count += 1
      open = { cells: FEED_HEADINGS.map(() => ''), items: {}, websites: [], notices: [], text: '' }
    } else if (open) readElement(open, tag as SaxesTagPlain)
  })
  parser.on('text', (part) => {
    if (open) open.text += part
  })
  parser.on('closetag', ({ name }) => {
    if (!open) return
    if (name === 'WebAddr') open.websites.push(withoutControls(open.text).trim())
    if (name !== 'Firm') return
    ready.push(closeFirm(open, count))
    open = undefined
  })
  for await (const chunk of text) {
    parser.write(chunk)
    if (failure) throw failure
    yield* ready.splice(0)
  }
  parser.close()
  if (failure) throw failure
  yield* ready
  if (count === 0) throw new AppError('bad_input', `${file} contains no firms.`)
}

interface OpenFirm {
  cells: string[]
  items: Record<string, string>
  websites: string[]
  notices: string[]
  text: string
}

function readElement(firm: OpenFirm, { name, attributes: given }: SaxesTagPlain): void {
  const attributes = valuesWithoutControls(given)
  firm.text = ''
  if (name === 'States' && /^FILED/i.test(attributes['St'] ?? ''))
    firm.notices.push(`${attributes['RgltrCd'] ?? ''}-${usDate(attributes['Dt'] ?? '')}`)
  for (const [attribute, value] of Object.entries(attributes)) {
    const heading = HEADINGS[name]?.[attribute] ?? (name.startsWith('Item') ? itemHeading(attribute) : undefined)
    if (heading === undefined) continue
    const index = INDEX.get(heading)
    if (index !== undefined) firm.cells[index] = value
    else if (value.trim()) firm.items[heading] = value.trim()
  }
}

function closeFirm({ cells, items, websites, notices }: OpenFirm, line: number): FoundRow {
  cells[INDEX.get(NOTICES) as number] = notices.sort().join(', ')
  const addresses = websites.filter(Boolean)
  cells[INDEX.get(WEBSITE_COUNT) as number] = String(addresses.length)
  if (addresses.length > 1) items['Website Addresses'] = addresses.join(' ')
  return { line, cells, webAddresses: addresses, moreItems: items }
}

/** Converts `2026-02-24` to the rosters' format, `02/24/2026`. */
const usDate = (date: string) => date.replace(/^(\d{4})-(\d\d)-(\d\d).*$/, '$2/$3/$1')

const WRAPPERS = new Set(['IAPDFirmSECReport', 'Firms', 'Firm'])

function wrongFeed(file: string, root: string): AppError | undefined {
  if (WRAPPERS.has(root)) return undefined
  const which = root.startsWith('IAPDFirmState')
    ? 'the feed of state-registered firms, which have no SEC number'
    : root.startsWith('IAPDIndvl') || root.startsWith('IAPDIndividual')
      ? 'the feed of individuals, which is not supported'
      : `not a known XML document (<${root.slice(0, 60)}>)`
  return new AppError('bad_input', `${file} is ${which}. Import IA_FIRM_SEC_Feed_….xml (<IAPDFirmSECReport>).`)
}
