select
  date_trunc('week', signal.published_on)::date as week,
  signal.signal_type,
  count(*) as signals,
  count(distinct signal.domain) as accounts
from {{ ref('stg_signals') }} as signal
join {{ ref('stg_accounts') }} as account on account.domain = signal.domain
where signal.published_on is not null
group by 1, 2
