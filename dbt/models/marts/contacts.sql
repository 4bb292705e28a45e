{{ config(materialized='view') }}

-- This model is a view, because erasures do not remove people from tables in this schema.
select
  person.domain || '/' || person.person_key as contact_id,
  account.account_name,
  account.owner,
  person.*
from {{ ref('stg_people') }} as person
join {{ ref('stg_accounts') }} as account on account.domain = person.domain
