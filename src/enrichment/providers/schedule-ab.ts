import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { NO_PERSON_FIELDS } from '../../findings/person-fields.ts'
import type { PersonObservation, Provider } from '../../findings/provider.ts'
import { FORM_ADV } from '../../findings/sources.ts'
import { mergePeople, rankPeople } from '../people/merge-people.ts'
import { parseName } from '../people/names/parse-name.ts'
import { classifyTitle } from '../people/titles/classify-title.ts'

/** Confidence of filed data. The data is reliable; only the match between domain and firm is uncertain. */
const CONFIDENCE = 0.97
const SHARED_DOMAIN_CONFIDENCE = 0.8

interface OfficerRow {
  crd_number: number
  full_legal_name: string
  title: string | null
  submitted_at: string
  firms: number
}

/**
 * Reads the executive officers and direct owners of the adviser with this domain from Schedule A. Returns only natural
 * persons, with titles as filed. If several firms share the domain, returns people from all of them, with a lower
 * confidence.
 */
export async function findOfficers(db: Db, domain: string): Promise<PersonObservation[]> {
  const { rows } = await sql<OfficerRow>`
    with firms as (select crd_number from firm where website_domain = ${domain} and gone_as_of is null)
    select owner.crd_number, owner.full_legal_name, owner.title, filing.submitted_at,
      (select count(*) from firms)::int as firms
    from firms
    join firm_schedule_filing filing using (crd_number)
    join firm_owner owner using (crd_number)
    where owner.schedule = 'A' and owner.owner_type = 'I'
    order by owner.crd_number, owner.position`.execute(db)
  return mergePeople(rows.flatMap(toObservation))
}

/** Finds officers in Schedule A. The `observed_at` of a person is the time of the filing. */
export function createScheduleProvider(db: Db): Provider {
  return {
    name: 'schedule-ab',
    groups: new Set(['leadership']),
    recheckAfterDays: 30,
    async find({ domain, maxPeople }) {
      const officers = await findOfficers(db, domain)
      const people = rankPeople(officers, maxPeople)
      return {
        status: people.length > 0 ? 'found' : 'not_found',
        reason: people.length > 0 ? null : 'no adviser with this domain has an imported Schedule A',
        observations: [],
        people,
        signals: [],
      }
    },
  }
}

function toObservation({ crd_number, full_legal_name, title, submitted_at, firms }: OfficerRow): PersonObservation[] {
  const name = parseName(full_legal_name)
  if (!name?.last_name) return []
  return [
    {
      source: FORM_ADV,
      url: `https://adviserinfo.sec.gov/firm/summary/${crd_number}`,
      observed_at: submitted_at,
      method: 'schedule-a',
      confidence: firms > 1 ? SHARED_DOMAIN_CONFIDENCE : CONFIDENCE,
      ...NO_PERSON_FIELDS,
      full_name: name.full_name,
      first_name: name.first_name,
      last_name: name.last_name,
      title,
      ...(title && classifyTitle(title)),
    },
  ]
}
