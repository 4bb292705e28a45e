with people as (
  select domain, count(*) as contacts, count(*) filter (where is_leader) as leaders
  from {{ ref('stg_people') }}
  group by domain
),

news as (
  select domain, count(*) as signals, max(published_on) as latest_signal_on
  from {{ ref('stg_signals') }}
  group by domain
),

assets as (
  select domain, max(assets_usd) as assets_usd
  from {{ ref('stg_firms') }}
  where domain is not null
  group by domain
)

select
  account.*,
  coalesce(people.contacts, 0) as contacts,
  coalesce(people.leaders, 0) as leaders,
  coalesce(news.signals, 0) as signals,
  news.latest_signal_on,
  assets.assets_usd
from {{ ref('stg_accounts') }} as account
left join people on people.domain = account.domain
left join news on news.domain = account.domain
left join assets on assets.domain = account.domain
