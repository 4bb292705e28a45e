import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db, ServiceTables } from '../../../src/db/database.ts'
import { AppError } from '../../../src/lib/errors.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { currentAccount } from '../../../src/units/account.ts'
import { chargeUnits } from '../../../src/units/charge.ts'
import { grantUnits } from '../../../src/units/grant.ts'
import { listLedger } from '../../../src/units/ledger.ts'
import { refundUnits } from '../../../src/units/refund.ts'
import { givenClient } from '../../helpers/clients.ts'
import { testDatabase } from '../../helpers/database.ts'

const RUNS = Number(process.env['TALHOUSE_TEST_MODEL_RUNS'] ?? 60)

let service: Postgres<ServiceTables>
beforeAll(async () => {
  service = await testDatabase<ServiceTables>('service')
})
afterAll(() => service[Symbol.asyncDispose]())

/** A model of an account, whose results the ledger must match. */
interface Model {
  balance: number
  granted: number
  used: number
  overage: boolean
  tasks: { id: string; units: number; refunded: boolean }[]
  entries: number
}

interface Real {
  db: Db
  clientId: string
}

type Command = fc.AsyncCommand<Model, Real>

class Charge implements Command {
  readonly units: number
  constructor(units: number) {
    this.units = units
  }
  check = () => true
  toString = () => `charge ${this.units}`
  async run(model: Model, { db, clientId }: Real) {
    const id = randomUUID()
    const charge = { clientId, taskId: id, units: this.units }
    const remaining = await db
      .transaction()
      .execute((trx) => chargeUnits(trx, charge))
      .catch(codeOf)
    if (model.balance < this.units && !model.overage) {
      expect(remaining).toBe('insufficient_units')
      return
    }
    model.balance -= this.units
    model.used += this.units
    model.entries += 1
    model.tasks.push({ id, units: this.units, refunded: false })
    expect(remaining).toBe(model.balance)
  }
}

class Refund implements Command {
  readonly place: number
  constructor(place: number) {
    this.place = place
  }
  check = (model: Readonly<Model>) => model.tasks.length > 0
  toString = () => `refund ${this.place}`
  async run(model: Model, { db, clientId }: Real) {
    const task = model.tasks[this.place % model.tasks.length] as Model['tasks'][number]
    const items = [{ item: 1, units: task.units, reason: 'failed' }]
    const given = await refundUnits(db, { clientId, taskId: task.id, items }).catch(() => 'refused')
    expect(given).toBe(task.refunded ? 'refused' : task.units)
    if (task.refunded) return
    task.refunded = true
    model.balance += task.units
    model.used -= task.units
    model.entries += 1
  }
}

class Grant implements Command {
  readonly units: number
  constructor(units: number) {
    this.units = units
  }
  check = () => true
  toString = () => `grant ${this.units}`
  async run(model: Model, { db, clientId }: Real) {
    const balance = await grantUnits(db, { clientId, units: this.units, reason: 'a test' }).catch(codeOf)
    if (this.units < 0 && (model.granted + this.units < 0 || model.balance + this.units < 0)) {
      expect(balance).toBe('unprocessable')
      return
    }
    model.balance += this.units
    model.granted += this.units
    model.entries += 1
    expect(balance).toBe(model.balance)
  }
}

class SetOverage implements Command {
  readonly allowed: boolean
  constructor(allowed: boolean) {
    this.allowed = allowed
  }
  check = () => true
  toString = () => `overage ${this.allowed}`
  async run(model: Model, { db, clientId }: Real) {
    await db.updateTable('client').set({ overage_allowed: this.allowed }).where('client_id', '=', clientId).execute()
    model.overage = this.allowed
  }
}

class Look implements Command {
  check = () => true
  toString = () => 'look'
  async run(model: Model, { db, clientId }: Real) {
    expect(await currentAccount(db, clientId)).toMatchObject({ balance: model.balance, used_this_period: model.used })
    const ledger = await listLedger(db, clientId, 1000)
    expect(ledger).toHaveLength(model.entries)
    expect(ledger.reduce((sum, { units }) => sum + units, 0)).toBe(model.balance)
    expect(ledger[0]?.balance_after).toBe(model.balance)
  }
}

const codeOf = (error: unknown): string => {
  if (error instanceof AppError) return error.code
  throw error
}

it(`the ledger matches its model, in ${RUNS} histories of up to 50 commands`, async () => {
  const commands = fc.commands(
    [
      fc.constantFrom(1, 3, 5, 9, 40).map((units) => new Charge(units)),
      fc.nat(100).map((place) => new Refund(place)),
      fc.constantFrom(10, 25, -10, -50).map((units) => new Grant(units)),
      fc.boolean().map((allowed) => new SetOverage(allowed)),
      fc.constant(new Look()),
    ],
    { maxCommands: 50, size: 'max' },
  )
  await fc.assert(
    fc.asyncProperty(commands, async (story) => {
      const clientId = await givenClient(service.db, { units: 60 })
      await currentAccount(service.db, clientId)
      const model: Model = { balance: 60, granted: 0, used: 0, overage: false, tasks: [], entries: 1 }
      await fc.asyncModelRun(() => ({ model, real: { db: service.db, clientId } }), [...story, new Look()])
    }),
    { numRuns: RUNS },
  )
})
