import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { hashEmail } from '../persons/email-hash.ts'

/** Lower-case texts that identify the person, and the address hash, which may be the only known identifier. */
export interface PersonTexts {
  texts: ReadonlySet<string>
  emailHash: string | null
}

const ERASED = '[erased]'
const PAGE = 500

/**
 * Redacts a person in the inputs and outputs of all clients' tasks, and returns the number of changed tasks and items.
 */
export async function eraseFromTasks(trx: Db, person: PersonTexts): Promise<number> {
  // Locks items before tasks, in the same order as workers.
  return (await eraseItems(trx, person)) + (await eraseInputs(trx, person))
}

async function eraseInputs(trx: Db, person: PersonTexts): Promise<number> {
  let erased = 0
  for (let after = ''; ; ) {
    const rows = await trx
      .selectFrom('task')
      .select(['client_id', 'task_id', 'input'])
      .where(sql`task_id::text`, '>', after)
      .where(sql<boolean>`input::text ~* ${mayName(person)}`)
      .orderBy(sql`task_id::text`)
      .limit(PAGE)
      .execute()
    for (const { client_id, task_id, input } of rows) {
      const blanked = blank(input, person)
      if (blanked === input) continue
      erased += 1
      await trx
        .updateTable('task')
        .set({ input: JSON.stringify(blanked) })
        .where('client_id', '=', client_id)
        .where('task_id', '=', task_id)
        .execute()
    }
    if (rows.length < PAGE) return erased
    after = (rows.at(-1) as { task_id: string }).task_id
  }
}

async function eraseItems(trx: Db, person: PersonTexts): Promise<number> {
  let erased = 0
  for (let after = ''; ; ) {
    const rows = await trx
      .selectFrom('task_item')
      .select(['client_id', 'task_id', 'item', 'input', 'output'])
      .select(sql<string>`task_id::text || lpad(item::text, 10, '0')`.as('key'))
      .where(sql`task_id::text || lpad(item::text, 10, '0')`, '>', after)
      .where(sql<boolean>`(input::text || coalesce(output::text, '')) ~* ${mayName(person)}`)
      .orderBy('key')
      .limit(PAGE)
      .execute()
    for (const { client_id, task_id, item, input, output } of rows) {
      const [newInput, newOutput] = [blank(input, person), blank(output, person)]
      if (newInput === input && newOutput === output) continue
      erased += 1
      await trx
        .updateTable('task_item')
        .set({ input: JSON.stringify(newInput), output: newOutput === null ? null : JSON.stringify(newOutput) })
        .where('client_id', '=', client_id)
        .where('task_id', '=', task_id)
        .where('item', '=', item)
        .execute()
    }
    if (rows.length < PAGE) return erased
    after = (rows.at(-1) as { key: string }).key
  }
}

/** A regular expression that preselects rows. All email addresses match, because one may have the known hash. */
function mayName({ texts }: PersonTexts): string {
  const escaped = [...texts].map((text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  )
  return ['@', ...escaped].join('|')
}

/** Redacts the person in a value. Returns the same value if it does not mention the person. */
function blank(value: unknown, person: PersonTexts): unknown {
  if (typeof value === 'string') return names(value, person) ? ERASED : value
  if (Array.isArray(value)) {
    const items = value.map((item) => blank(item, person))
    return items.some((item, place) => item !== value[place]) ? items : value
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, blank(inner, person), inner] as const)
  return entries.some(([, after, before]) => after !== before)
    ? Object.fromEntries(entries.map(([key, after]) => [key, after]))
    : value
}

function names(text: string, { texts, emailHash }: PersonTexts): boolean {
  const plain = text.trim().toLowerCase()
  return texts.has(plain) || (plain.includes('@') && hashEmail(plain).hash === emailHash)
}
