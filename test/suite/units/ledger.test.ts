import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { updateClient } from '../../../src/auth/clients.ts'
import type { Db, ServiceTables } from '../../../src/db/database.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { currentAccount, startPeriod } from '../../../src/units/account.ts'
import { chargeUnits } from '../../../src/units/charge.ts'
import { grantUnits } from '../../../src/units/grant.ts'
import { listLedger } from '../../../src/units/ledger.ts'
import { reconcileUnits } from '../../../src/units/reconcile.ts'
import { refundUnits } from '../../../src/units/refund.ts'
import { givenClient } from '../../helpers/clients.ts'
import { testDatabase } from '../../helpers/database.ts'
import { untilWaitingForLocks } from '../../helpers/waiting-for-locks.ts'

let service: Postgres<ServiceTables>
let db: Db
beforeAll(async () => {
  service = await testDatabase<ServiceTables>('service')
  db = service.db
})
afterAll(() => service[Symbol.asyncDispose]())

const charge = (clientId: string, units: number, taskId: string = randomUUID()) =>
  db.transaction().execute((trx) => chargeUnits(trx, { clientId, taskId, units }))

/** Moves all of the client's data into the past by whole periods, with the ledger's guard temporarily disabled. */
const letPeriodsPass = (clientId: string, periods: number): Promise<void> =>
  moveIntoPast(clientId, sql`(select ${periods} * period from client where client_id = ${clientId})`)

async function moveIntoPast(clientId: string, back: ReturnType<typeof sql>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql`
      update unit_account set period_started_at = period_started_at - ${back}, period_ends_at = period_ends_at - ${back},
        period_anchor = period_anchor - ${back}
      where client_id = ${clientId}`.execute(trx)
    await sql`update ledger_entry set period_started_at = period_started_at - ${back} where client_id = ${clientId}`.execute(
      trx,
    )
    await sql`update client set created_at = created_at - ${back} where client_id = ${clientId}`.execute(trx)
  })
}

describe('an account', () => {
  it("an account opens on first use with the plan's units, in a period counted from the client's creation", async () => {
    const client = await givenClient(db, { units: 70 })
    const account = await currentAccount(db, client)
    const { created_at } = await db
      .selectFrom('client')
      .select('created_at')
      .where('client_id', '=', client)
      .executeTakeFirstOrThrow()
    expect(account).toMatchObject({ balance: 70, used_this_period: 0, period_started_at: created_at })
    expect(await listLedger(db, client, 10)).toMatchObject([{ kind: 'period_start', units: 70, balance_after: 70 }])
  })

  it('an account is opened once under concurrent first use', async () => {
    const client = await givenClient(db, { units: 70 })
    await Promise.all(Array.from({ length: 15 }, () => currentAccount(db, client)))
    expect(await listLedger(db, client, 10)).toHaveLength(1)
  })

  it('an unknown client has no account', async () => {
    await expect(currentAccount(db, 'nobody')).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a charge', () => {
  it('a charge deducts units and returns the remaining units', async () => {
    const client = await givenClient(db, { units: 10 })
    expect(await charge(client, 9)).toBe(1)
    expect(await currentAccount(db, client)).toMatchObject({ balance: 1, used_this_period: 9 })
  })

  it('refuses a charge beyond the balance, reports the required and available units, and writes no entry', async () => {
    const client = await givenClient(db, { units: 4 })
    await currentAccount(db, client)
    await expect(charge(client, 5)).rejects.toMatchObject({
      code: 'insufficient_units',
      message: expect.stringMatching(/5 required, 4 available/),
    })
    expect(await listLedger(db, client, 10)).toHaveLength(1)
  })

  it('a charge may take the balance below zero only while the plan allows overage', async () => {
    const client = await givenClient(db, { units: 4, overage: true })
    expect(await charge(client, 9)).toBe(-5)
    await db.updateTable('client').set({ overage_allowed: false }).where('client_id', '=', client).execute()
    await expect(charge(client, 1)).rejects.toMatchObject({ code: 'insufficient_units' })
  })

  it('charges the units of a task once', async () => {
    const client = await givenClient(db)
    const task = randomUUID()
    await charge(client, 5, task)
    await expect(charge(client, 5, task)).rejects.toMatchObject({ code: '23505' })
    expect((await currentAccount(db, client)).balance).toBe(995)
  })

  it('a charge waits for an uncommitted charge and uses the resulting balance', async () => {
    const client = await givenClient(db, { units: 10 })
    await currentAccount(db, client)
    let second: Promise<number> | undefined
    await db.transaction().execute(async (first) => {
      await chargeUnits(first, { clientId: client, taskId: randomUUID(), units: 6 })
      second = charge(client, 6)
      second.catch(() => {})
      await untilWaitingForLocks(db, 1)
    })
    await expect(second).rejects.toMatchObject({
      code: 'insufficient_units',
      message: expect.stringContaining('6 required, 4 available'),
    })
  })
})

describe('a refund', () => {
  it('refunds the cost of items, with one entry per item', async () => {
    const client = await givenClient(db, { units: 10 })
    const task = randomUUID()
    await charge(client, 6, task)
    const items = [1, 2].map((item) => ({ item, units: 2, reason: 'not found' }))
    expect(await refundUnits(db, { clientId: client, taskId: task, items })).toBe(4)
    expect(await currentAccount(db, client)).toMatchObject({ balance: 8, used_this_period: 2 })
    expect((await listLedger(db, client, 2)).map((entry) => entry.balance_after)).toEqual([8, 6])
  })

  it('refunds an item once', async () => {
    const client = await givenClient(db, { units: 10 })
    const task = randomUUID()
    await charge(client, 6, task)
    const refund = { clientId: client, taskId: task, items: [{ item: 1, units: 2, reason: 'failed' }] }
    await refundUnits(db, refund)
    await expect(refundUnits(db, refund)).rejects.toMatchObject({ code: '23505' })
    expect((await currentAccount(db, client)).balance).toBe(6)
  })

  it("a refund after the end of the period raises the balance, but does not change the new period's usage", async () => {
    const client = await givenClient(db, { units: 10 })
    const task = randomUUID()
    await charge(client, 6, task)
    await letPeriodsPass(client, 1)
    await currentAccount(db, client)
    await refundUnits(db, { clientId: client, taskId: task, items: [{ item: 1, units: 6, reason: 'failed' }] })
    expect(await currentAccount(db, client)).toMatchObject({ balance: 16, used_this_period: 0 })
  })
})

describe('a period', () => {
  it('a period starts on first use: unused units expire, granted units carry over, and overage is written off', async () => {
    const thrifty = await givenClient(db, { units: 10 })
    const granted = await givenClient(db, { units: 10 })
    const over = await givenClient(db, { units: 10, overage: true })
    await charge(thrifty, 3)
    await grantUnits(db, { clientId: granted, units: 5, reason: 'a gift' })
    await charge(granted, 12)
    await charge(over, 25)
    for (const client of [thrifty, granted, over]) await letPeriodsPass(client, 3)
    expect(await currentAccount(db, thrifty)).toMatchObject({ balance: 10, used_this_period: 0 })
    expect(await currentAccount(db, granted)).toMatchObject({ balance: 13 })
    expect(await currentAccount(db, over)).toMatchObject({ balance: 10 })
  })

  it("a period starts on a charge, even if the previous period's units are used up", async () => {
    const client = await givenClient(db, { units: 10 })
    await charge(client, 10)
    await letPeriodsPass(client, 1)
    expect(await charge(client, 1)).toBe(9)
  })

  it('starts a period once under concurrent use, and maintenance starts the periods of all clients', async () => {
    const client = await givenClient(db, { units: 10 })
    await currentAccount(db, client)
    await letPeriodsPass(client, 2)
    await Promise.all([
      ...Array.from({ length: 10 }, () => currentAccount(db, client)),
      startPeriod(db),
      startPeriod(db),
    ])
    expect((await listLedger(db, client, 10)).map(({ kind }) => kind)).toEqual(['period_start', 'period_start'])
    expect(await startPeriod(db)).toBe(0)
  })

  it('a period with a different length, shorter or longer, starts when the current period ends', async () => {
    const client = await givenClient(db, { units: 10 })
    await updateClient(db, client, { period: '10 days' })
    const short = await currentAccount(db, client)
    await updateClient(db, client, { period: '1 year' })
    expect(await currentAccount(db, client)).toEqual(short)
    await moveIntoPast(client, sql`interval '35 days'`)
    const shortEnd = sql`(${short.period_ends_at}::timestamptz - interval '35 days')`
    expect(await charge(client, 4)).toBe(6)
    const long = await currentAccount(db, client)
    await updateClient(db, client, { period: '7 days' })
    await moveIntoPast(client, sql`interval '1 year'`)
    const last = await currentAccount(db, client)
    const { rows } = await sql<{ long: boolean; last: boolean }>`
      select ${long.period_started_at}::timestamptz = ${shortEnd} and ${long.period_ends_at}::timestamptz = ${shortEnd} + interval '1 year' as long,
        ${last.period_ends_at}::timestamptz - ${last.period_started_at}::timestamptz = interval '7 days' as last`.execute(
      db,
    )
    expect(rows).toEqual([{ long: true, last: true }])
    expect(await startPeriod(db)).toBe(0)
  })

  it("counts periods in whole months from the client's creation, even from the 31st of a month", async () => {
    const client = await givenClient(db)
    await db
      .updateTable('client')
      .set({ created_at: '2024-01-31T12:00:00.000000Z' })
      .where('client_id', '=', client)
      .execute()
    const { period_started_at, period_ends_at } = await currentAccount(db, client)
    const { rows } = await sql<{ fits: boolean }>`
      select ${period_started_at}::timestamptz <= now() and now() < ${period_ends_at}::timestamptz
        and exists (select from generate_series(0, 600) n where '2024-01-31T12:00:00Z'::timestamptz + n * interval '1 month' = ${period_started_at}::timestamptz)
        as fits`.execute(db)
    expect(rows).toEqual([{ fits: true }])
  })
})

describe('the ledger', () => {
  it('the ledger refuses updates and deletes', async () => {
    const client = await givenClient(db)
    await charge(client, 1)
    const refused = { code: '23001' }
    await expect(sql`update ledger_entry set units = 0`.execute(db)).rejects.toMatchObject(refused)
    await expect(sql`delete from ledger_entry`.execute(db)).rejects.toMatchObject(refused)
    await expect(sql`truncate ledger_entry`.execute(db)).rejects.toMatchObject(refused)
  })

  it('reconciliation reports a balance, a usage and a task that disagree with the ledger', async () => {
    await using own = await testDatabase<ServiceTables>('service')
    const client = await givenClient(own.db, { units: 10 })
    await currentAccount(own.db, client)
    expect((await reconcileUnits(own.db)).discrepancies).toEqual([])
    const task = randomUUID()
    await own.db.transaction().execute((trx) => chargeUnits(trx, { clientId: client, taskId: task, units: 3 }))
    await sql`update unit_account set balance = 9, used_this_period = 1`.execute(own.db)
    expect((await reconcileUnits(own.db)).discrepancies).toEqual([
      { client_id: client, check: 'balance equals the sum of ledger entries', task_id: null, expected: 7, found: 9 },
      { client_id: client, check: 'ledger and task agree on charge', task_id: task, expected: 0, found: -3 },
      {
        client_id: client,
        check: 'use of the period equals its charges and refunds',
        task_id: null,
        expected: 3,
        found: 1,
      },
    ])
  })
})
