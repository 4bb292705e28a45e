import { sql } from 'kysely'
import { HAS_ERASURE_FEED } from '../erasures/suppression.ts'

/**
 * Current and former people whose history the service returns: by `person_id` if the service accepts ids in paths,
 * otherwise by `person_key`, which is then the email_hash. `person_id` is null if the id cannot be used in paths.
 */
export const PEOPLE_WITH_HISTORY = sql`(
  select company_domain, person_key, case when ${HAS_ERASURE_FEED} then person_id end as person_id, null::timestamptz as gone_at
  from warehouse.person where email_hash is not null or person_id is not null and ${HAS_ERASURE_FEED}
  union all
  select company_domain, person_key, person_id, gone_at from warehouse.former_person
) person`
