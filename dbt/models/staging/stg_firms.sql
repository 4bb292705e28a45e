select
  firm_id,
  legal_name,
  firm_type,
  state,
  website_domain as domain,
  aum_total_usd as assets_usd
from {{ source('warehouse', 'firm') }}
where gone_at is null
