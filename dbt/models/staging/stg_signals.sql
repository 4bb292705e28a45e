select
  company_domain as domain,
  signal_key,
  type as signal_type,
  headline,
  published_on
from {{ source('warehouse', 'signal') }}
