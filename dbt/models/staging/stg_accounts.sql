select
  member.domain,
  coalesce(company.name, member.domain) as account_name,
  member.attributes ->> 'owner' as owner,
  member.attributes ->> 'tier' as tier,
  company.industry,
  company.employee_count as employees,
  company.headquarters_state as state,
  company.enriched_at
from {{ source('warehouse', 'tal_member') }} as member
left join {{ source('warehouse', 'company') }} as company on company.domain = member.domain and company.gone_at is null
where member.gone_at is null
