import type { Db } from './database.ts'

/** Runs work in the given transaction or, with a connection, in a new transaction. */
export async function inTransaction<Result>(db: Db, work: (trx: Db) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? await work(db) : await db.transaction().execute(work)
}
