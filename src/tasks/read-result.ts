import type { TaskOutput, TaskResult, TaskType } from '../contract/tasks.ts'
import type { Db } from '../db/database.ts'
import type { PersonRow } from '../persons/person-rows.ts'
import type { ItemRow } from './read-task.ts'
import { readTaskWithItems } from './read-task.ts'

interface StoredOutput {
  groups?: Record<string, string>
  changed?: { fields: number; people: number; signals: number }
  person_ids?: string[]
  company_domain?: string
  signal_ids?: string[]
}

type SignalRow = { domain: string; signal_id: string } & NonNullable<TaskOutput['signals']>[number]['signals'][number]

/**
 * Reads a task with its request and result. `output_data` is null until the task has finished. Items store the IDs of
 * people and news instead of copies, so erased people also disappear from old results. Throws `not_found`.
 */
export async function readResult(db: Db, clientId: string, taskId: string): Promise<TaskResult> {
  const { task, input, items } = await readTaskWithItems(db, clientId, taskId)
  const input_data = input as Record<string, unknown>
  if (task.completed_at === null) return { ...task, input_data, output_data: null }
  const output = await composeOutput(db, task.task_type, items)
  return { ...task, input_data, output_data: { ...output, units_refunded: task.units_refunded } }
}

async function composeOutput(
  db: Db,
  type: TaskType,
  items: readonly ItemRow[],
): Promise<Omit<TaskOutput, 'units_refunded'>> {
  const [people, signals] = await Promise.all([peopleOf(db, items), signalsOf(db, items)])
  const companies = items.filter(({ entity }) => entity === 'company')
  const persons = items.filter(({ entity }) => entity === 'person')
  if (type === 'leadership_search') return { leadership: companies.map((item) => leadershipOf(item, people)) }
  if (type === 'signal_discovery')
    return {
      signals: companies.map((item) => ({
        ...endOf(item),
        domain: item.domain as string,
        signals: (stored(item).signal_ids ?? []).flatMap((id) => signals.get(`${item.domain} ${id}`) ?? []),
      })),
    }
  return {
    ...(companies.length > 0 || persons.length === 0 ? { companies: companies.map(companyOf) } : {}),
    ...(persons.length > 0 && { persons: persons.map((item) => personOf(item, people)) }),
  }
}

const stored = ({ output }: ItemRow): StoredOutput => (output ?? {}) as StoredOutput

const endOf = ({ outcome, reason }: ItemRow) => ({ outcome: outcome ?? 'failed', reason })

function companyOf(item: ItemRow): NonNullable<TaskOutput['companies']>[number] {
  const { groups, changed } = stored(item)
  return { domain: item.domain as string, ...endOf(item), ...(groups && { groups }), ...(changed && { changed }) }
}

function leadershipOf(
  item: ItemRow,
  people: ReadonlyMap<string, PersonRow>,
): NonNullable<TaskOutput['leadership']>[number] {
  const { enrich_via_social } = item.input as { enrich_via_social?: boolean }
  const contacts = (stored(item).person_ids ?? []).flatMap((id) => people.get(id) ?? [])
  return {
    domain: item.domain as string,
    ...endOf(item),
    contacts: contacts.map(({ person_id, full_name, email, title, social_url, seniority }) => ({
      person_id,
      full_name,
      email,
      title,
      social_url: enrich_via_social === false ? null : social_url,
      seniority,
    })),
  }
}

function personOf(item: ItemRow, people: ReadonlyMap<string, PersonRow>): NonNullable<TaskOutput['persons']>[number] {
  const found = people.get(stored(item).person_ids?.[0] ?? '')
  if (!found) return { ...endOf(item), person: null }
  const { person_id, email_hash, email, email_status, email_confidence, first_name, last_name, full_name, title } =
    found
  const { seniority, department, company_domain, social_url } = found
  const address = { person_id, email_hash, email, email_status, email_confidence }
  const name = { first_name, last_name, full_name }
  const person = { ...address, ...name, title, seniority, department, company_domain, social_url }
  return { ...endOf(item), person }
}

async function peopleOf(db: Db, items: readonly ItemRow[]): Promise<Map<string, PersonRow>> {
  const ids = items.flatMap((item) => stored(item).person_ids ?? [])
  const domains = items.flatMap((item) => stored(item).company_domain ?? item.domain ?? [])
  if (ids.length === 0 || domains.length === 0) return new Map()
  const rows = await db
    .selectFrom('person')
    .selectAll()
    .where('company_domain', 'in', [...new Set(domains)])
    .where('person_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.person_id, row as PersonRow]))
}

async function signalsOf(
  db: Db,
  items: readonly ItemRow[],
): Promise<Map<string, Omit<SignalRow, 'domain' | 'signal_id'>>> {
  const ids = items.flatMap((item) => stored(item).signal_ids ?? [])
  const domains = items.flatMap(({ domain }) => domain ?? [])
  if (ids.length === 0) return new Map()
  const rows: SignalRow[] = await db
    .selectFrom('signal')
    .select(['domain', 'signal_id', 'type', 'date', 'headline', 'url', 'confidence'])
    .where('domain', 'in', domains)
    .where('signal_id', 'in', ids)
    .execute()
  return new Map(rows.map(({ domain, signal_id, ...signal }) => [`${domain} ${signal_id}`, signal]))
}
