select
  company_domain as domain,
  person_key,
  full_name,
  title,
  seniority,
  email,
  is_leader
from {{ source('warehouse', 'person') }}
