select
  coalesce(state, 'unknown') as state,
  count(*) as firms,
  sum(assets_usd) as assets_usd
from {{ ref('stg_firms') }}
group by 1
