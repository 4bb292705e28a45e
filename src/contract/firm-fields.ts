/**
 * The typed fields of a firm, in the order used by responses, tables and exports. The Form ADV import, the firm query
 * and the warehouse share this list. Other columns of the SEC roster are stored as filed in `items`.
 */

export type FirmFieldType = 'text' | 'text[]' | 'integer' | 'money' | 'boolean' | 'date'

export interface FirmField {
  readonly type: FirmFieldType
  /** Meaning and unit of the field, used as the column comment and as the schema description. */
  readonly description: string
}

const text = (description: string) => ({ type: 'text', description }) as const
const list = (description: string) => ({ type: 'text[]', description }) as const
const integer = (description: string) => ({ type: 'integer', description }) as const
/** Defines a field in US dollars with cents. */
const money = (description: string) => ({ type: 'money', description: `${description}, in US dollars` }) as const
const boolean = (description: string) => ({ type: 'boolean', description }) as const
const date = (description: string) => ({ type: 'date', description }) as const

export const FIRM_FIELDS = {
  sec_number: text('SEC file number, such as 801-12345. Unique among current firms, but it can change.'),
  crd_number: integer('Organization CRD number. Unique and permanent.'),
  legal_name: text('Full legal name (1A)'),
  business_name: text('Name under which business is primarily conducted (1B)'),
  firm_type: text('registered, or exempt for an exempt reporting adviser'),
  region: text(
    'Region code of the SEC office: NYRO, BRO, PLRO, ARO, MIRO, CHRO, FWRO, DRO, LARO, SFRO; HQ for offices abroad',
  ),
  sec_status: text('Registration status with the SEC, as filed'),
  sec_status_date: date('Date on which the registration status took effect'),
  latest_filing_date: date('Date of the latest Form ADV filing'),
  form_version: text('Version of the filed form'),
  umbrella_registration: boolean('Umbrella registration: the firm also files on behalf of relying advisers'),
  notice_states: list('States with a notice filing, as two-letter codes in alphabetical order'),
  cik_number: text('EDGAR central index key'),
  lei: text('Legal entity identifier (1P)'),
  street_1: text('Principal office: first line of the street address (1F)'),
  street_2: text('Principal office: second line of the street address'),
  city: text('Principal office: city'),
  state: text('Principal office: state (two-letter code in the US)'),
  country: text('Principal office: country'),
  postal_code: text('Principal office: postal code'),
  phone: text('Principal office: telephone number, as filed'),
  fax: text('Principal office: fax number, as filed'),
  other_office_count: integer('Number of offices other than the principal office (1F(5))'),
  mail_street_1: text('Mailing address, if different: first line'),
  mail_street_2: text('Mailing address: second line'),
  mail_city: text('Mailing address: city'),
  mail_state: text('Mailing address: state'),
  mail_country: text('Mailing address: country'),
  mail_postal_code: text('Mailing address: postal code'),
  website: text('First website address that is not a social media profile (1I)'),
  website_domain: text('Registrable domain of the website'),
  social_url: text('First social media profile URL'),
  website_count: integer('Number of website addresses filed'),
  organization_form: text('Form of organization (3A)'),
  fiscal_year_end: text('Month in which the fiscal year ends (3B)'),
  organized_state: text('State under whose laws the firm is organized (3C)'),
  organized_country: text('Country under whose laws the firm is organized (3C)'),
  public_reporting_company: boolean('Public reporting company under sections 12 or 15(d) of the Exchange Act (1N)'),
  own_assets_over_1bn: boolean('Whether the firm has own assets of one billion US dollars or more (1O)'),
  employee_count: integer('Full-time and part-time employees, excluding clerical workers (5A)'),
  advisory_employee_count: integer('Employees who perform investment advisory functions (5B(1))'),
  broker_dealer_rep_count: integer('Employees who are registered representatives of a broker-dealer (5B(2))'),
  state_adviser_rep_count: integer('Employees registered with a state as investment adviser representatives (5B(3))'),
  client_without_assets_count: integer('Clients served without regulatory assets under management (5C(1))'),
  non_us_client_percent: integer('Percentage of clients who are not US persons (5C(2))'),
  aum_discretionary_usd: money('Discretionary regulatory assets under management (5F(2)(a))'),
  aum_non_discretionary_usd: money('Non-discretionary regulatory assets under management (5F(2)(b))'),
  aum_total_usd: money('Total regulatory assets under management (5F(2)(c))'),
  aum_non_us_usd: money('Regulatory assets under management attributable to clients who are not US persons (5F(3))'),
  accounts_discretionary: integer('Discretionary accounts (5F(2)(d))'),
  accounts_non_discretionary: integer('Non-discretionary accounts (5F(2)(e))'),
  accounts_total: integer('Total accounts (5F(2)(f))'),
  charges_percent_of_assets: boolean('Compensated by a percentage of assets under management (5E(1))'),
  charges_hourly: boolean('Compensated by hourly charges (5E(2))'),
  charges_subscription: boolean('Compensated by subscription fees (5E(3))'),
  charges_fixed: boolean('Compensated by fixed fees (5E(4))'),
  charges_commissions: boolean('Compensated by commissions (5E(5))'),
  charges_performance: boolean('Compensated by performance-based fees (5E(6))'),
  charges_other: boolean('Compensated in another way (5E(7))'),
  service_financial_planning: boolean('Financial planning services (5G(1))'),
  service_portfolio_individuals: boolean('Portfolio management for individuals and small businesses (5G(2))'),
  service_portfolio_companies: boolean('Portfolio management for investment companies (5G(3))'),
  service_portfolio_pooled: boolean('Portfolio management for other pooled vehicles (5G(4))'),
  service_portfolio_institutions: boolean('Portfolio management for businesses and institutions (5G(5))'),
  service_pension_consulting: boolean('Pension consulting (5G(6))'),
  service_adviser_selection: boolean('Selection of other advisers (5G(7))'),
  service_periodicals: boolean('Publication of periodicals or newsletters (5G(8))'),
  service_ratings: boolean('Security ratings or pricing (5G(9))'),
  service_market_timing: boolean('Market timing (5G(10))'),
  service_seminars: boolean('Educational seminars or workshops (5G(11))'),
  service_other: boolean('Other advisory services (5G(12))'),
  wrap_fee_program: boolean('Participates in a wrap fee program (5I(1))'),
  private_funds: boolean('Adviser to a private fund (7B)'),
  private_fund_count: integer('Private funds reported in section 7.B.(1)'),
  private_fund_assets_usd: money('Gross assets of the reported private funds'),
  custody_cash: boolean("Custody of clients' cash or bank accounts (9A(1)(a))"),
  custody_securities: boolean("Custody of clients' securities (9A(1)(b))"),
  disciplinary_history: boolean('Whether the firm or an advisory affiliate discloses any disciplinary history (11)'),
} as const satisfies Record<string, FirmField>

export type FirmFieldName = keyof typeof FIRM_FIELDS

export const FIRM_FIELD_NAMES = Object.keys(FIRM_FIELDS) as FirmFieldName[]

type ValueOf = {
  text: string
  'text[]': string[]
  integer: number
  money: number
  boolean: boolean
  /** YYYY-MM-DD */
  date: string
}

/** A firm record. Null means that the value was not filed or that the roster's layout has no column for it. */
export type Firm = {
  [Field in FirmFieldName]: Field extends 'sec_number'
    ? string
    : Field extends 'crd_number'
      ? number
      : ValueOf[(typeof FIRM_FIELDS)[Field]['type']] | null
}
