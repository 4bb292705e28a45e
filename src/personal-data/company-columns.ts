/** Columns of the `company` tables that contain company data, in both databases. */
export const COMPANY_COLUMNS = [
  ...[
    'domain',
    'name',
    'legal_name',
    'former_names',
    'industry',
    'naics_code',
    'naics_title',
    'employee_range',
    'phone',
    'social_url',
    'logo_url',
    'search_text',
  ],
  ...['headquarters_street', 'headquarters_city', 'headquarters_state', 'headquarters_postal_code'],
  ...['headquarters_country', 'enrichment_status', 'status_reason', 'row_hash'],
]
