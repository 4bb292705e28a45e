import type { FirmFieldName } from '../contract/firm-fields.ts'
import type { CellValue } from './cell-values.ts'
import { parseInteger, parseStates, parseText } from './cell-values.ts'

/** The roster column for a typed field, with the parser for the column's cells. */
export interface RosterColumn {
  /** Spellings of the heading, newest first. */
  headings: readonly string[]
  /** Parses a cell, or throws CellError. @default the parser for the field's type */
  parse?: (cell: string) => CellValue
  /** Whether to also keep the cell as an item, because parsing loses information. */
  keepCell?: boolean
}

/** Matches SEC numbers, such as 801-12345 and 802-12345. */
export const SEC_NUMBER = /^8\d\d-\d{1,7}$/

const STATUS: Record<string, string> = {
  APPROVED: 'Approved',
  ACTIVE: 'ERA - Active',
  'ERA - ACTIVE': 'ERA - Active',
  '120-DAY APPROVAL': '120-Day Approval',
}

/** Parses a status. Normalizes the case, because the feed writes statuses in upper case and the rosters do not. */
export const parseStatus = (cell: string): string | null => STATUS[cell.trim().toUpperCase()] ?? parseText(cell)

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Parses a form version. Restores 10/2021 from `Oct-21` and `21-Oct`, which are Excel artifacts. */
export function parseFormVersion(cell: string): string | null {
  const [, month, year] = /^([a-z]{3})-(\d\d)$/i.exec(cell.trim()) ?? []
  const [, yearFirst, monthLast] = /^(\d\d)-([a-z]{3})$/i.exec(cell.trim()) ?? []
  const number = MONTHS.indexOf((month ?? monthLast ?? '').toLowerCase()) + 1
  return number > 0 ? `${String(number).padStart(2, '0')}/20${year ?? yearFirst}` : parseText(cell)
}

export function parseFirmType(cell: string): string | null {
  const text = cell.trim().toLowerCase()
  if (text === '') return null
  return /^(era|exempt)/.test(text) ? 'exempt' : 'registered'
}

/** Parses an LEI. Returns null for other text, because many firms enter N/A, NONE or a different kind of identifier. */
const parseLei = (cell: string): string | null => {
  const text = cell.replace(/[\s-]/g, '').toUpperCase()
  return /^[A-Z0-9]{18}\d\d$/.test(text) ? text : null
}

/** Matches `251-500`, `More than 1,000`, `76% - 100%`, `None`, and `10-Jan`, which is Excel's conversion of `1-10`. */
const BAND =
  /^(none|n\/a|(more than|less than|over|under|up to|at least|[<>]=?)\s*[\d,.]+\s*%?|[\d,.]+\s*%?\s*(-|–|to)\s*[\d,.]+\s*%?|[\d,.]+\s*%?\s*(\+|or more|or less)|\d{1,2}-[a-z]{3}|[a-z]{3}-\d{1,2})$/i

/**
 * Parses a count. Returns null for a range, which older forms use instead of a count; the cell is then stored as an
 * item.
 */
const parseCountOrBand = (cell: string): number | null => (BAND.test(cell.trim()) ? null : parseInteger(cell))

/** Parses the first CIK number in a cell, such as `0001234567`. */
const parseCik = (cell: string): string | null => /\d+/.exec(cell)?.[0]?.replace(/^0+(?=\d)/, '') ?? null

const at = (...headings: string[]): RosterColumn => ({ headings })

/**
 * The column of each typed field. Websites, and addresses that early layouts combine into one cell, are parsed in
 * `build-firm.ts`.
 */
export const ROSTER_COLUMNS: Partial<Record<FirmFieldName, RosterColumn>> = {
  sec_number: { headings: ['SEC#', 'SEC Number'], parse: (cell) => cell.replace(/\s/g, '') || null },
  crd_number: at('Organization CRD#', 'CRD#', 'Organization CRD Number'),
  legal_name: at('Legal Name'),
  business_name: at('Primary Business Name'),
  firm_type: { headings: ['Firm Type'], parse: parseFirmType },
  region: at('SEC Region', 'SEC Region Name', 'SEC Region Code'),
  sec_status: { headings: ['SEC Current Status', 'SEC Status'], parse: parseStatus },
  sec_status_date: at('SEC Status Effective Date'),
  latest_filing_date: at('Latest ADV Filing Date'),
  form_version: { headings: ['Form Version'], parse: parseFormVersion },
  umbrella_registration: at('Umbrella Registration'),
  notice_states: { headings: ['Jurisdiction Notice Filed-Effective Date'], parse: parseStates, keepCell: true },
  cik_number: { headings: ['CIK#'], parse: parseCik, keepCell: true },
  lei: { headings: ['1P'], parse: parseLei, keepCell: true },
  street_1: at('Main Office Street Address 1'),
  street_2: at('Main Office Street Address 2'),
  city: at('Main Office City'),
  state: at('Main Office State'),
  country: at('Main Office Country'),
  postal_code: at('Main Office Postal Code'),
  phone: at('Main Office Telephone Number'),
  fax: at('Main Office Facsimile Number'),
  other_office_count: at('Total number of offices, other than your Principal Office and place of business', '1F(5)'),
  mail_street_1: at('Mail Office Street Address 1'),
  mail_street_2: at('Mail Office Street Address 2'),
  mail_city: at('Mail Office City'),
  mail_state: at('Mail Office State'),
  mail_country: at('Mail Office Country'),
  mail_postal_code: at('Mail Office Postal Code'),
  website_count: at('Total Number of Website Addresses'),
  organization_form: at('3A'),
  fiscal_year_end: at('3B'),
  organized_state: at('3C-State'),
  organized_country: at('3C-Country'),
  public_reporting_company: at('1N'),
  own_assets_over_1bn: at('1O'),
  employee_count: { headings: ['5A'], parse: parseCountOrBand },
  advisory_employee_count: { headings: ['5B(1)'], parse: parseCountOrBand },
  broker_dealer_rep_count: { headings: ['5B(2)'], parse: parseCountOrBand },
  state_adviser_rep_count: { headings: ['5B(3)'], parse: parseCountOrBand },
  client_without_assets_count: { headings: ['5C(1)'], parse: parseCountOrBand, keepCell: true },
  non_us_client_percent: { headings: ['5C(2)'], parse: parseCountOrBand },
  aum_discretionary_usd: at('5F(2)(a)'),
  aum_non_discretionary_usd: at('5F(2)(b)'),
  aum_total_usd: at('5F(2)(c)'),
  aum_non_us_usd: at('5F(3)'),
  accounts_discretionary: at('5F(2)(d)'),
  accounts_non_discretionary: at('5F(2)(e)'),
  accounts_total: at('5F(2)(f)'),
  charges_percent_of_assets: at('5E(1)'),
  charges_hourly: at('5E(2)'),
  charges_subscription: at('5E(3)'),
  charges_fixed: at('5E(4)'),
  charges_commissions: at('5E(5)'),
  charges_performance: at('5E(6)'),
  charges_other: at('5E(7)'),
  service_financial_planning: at('5G(1)'),
  service_portfolio_individuals: at('5G(2)'),
  service_portfolio_companies: at('5G(3)'),
  service_portfolio_pooled: at('5G(4)'),
  service_portfolio_institutions: at('5G(5)'),
  service_pension_consulting: at('5G(6)'),
  service_adviser_selection: at('5G(7)'),
  service_periodicals: at('5G(8)'),
  service_ratings: at('5G(9)'),
  service_market_timing: at('5G(10)'),
  service_seminars: at('5G(11)'),
  service_other: at('5G(12)'),
  wrap_fee_program: at('5I(1)'),
  private_funds: at('7B'),
  private_fund_count: at('Count of Private Funds - 7B(1)'),
  private_fund_assets_usd: at('Total Gross Assets of Private Funds'),
  custody_cash: at('9A(1)(a)'),
  custody_securities: at('9A(1)(b)'),
  disciplinary_history: at('11'),
}

export const WEBSITE_HEADINGS = ['Website Address', 'Website']
/** Headings of the single column that contains city, state and postal code in rosters from 2006 to 2008. */
export const JOINED_ADDRESS_HEADINGS = ['City, State, Postal Code', 'Main Office City, State, Postal Code']

/**
 * Matches headings of personal data about the compliance officer and other contacts. Columns with personal data are
 * never stored.
 */
const PERSONAL = /chief compliance officer|\bcco\b|contact employee|contact person|e-?mail/i

export const isPersonal = (heading: string): boolean => PERSONAL.test(heading)

/** Normalizes a heading for comparison. Ignores case, spaces and punctuation, which differ between years. */
export const headingKey = (heading: string): string => heading.toLowerCase().replace(/[\s"'.]/g, '')
