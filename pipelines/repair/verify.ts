import { sql } from 'kysely'
import type { Verifiable, Verification } from '../compare/difference.ts'
import type { Slice } from '../compare/slice.ts'
import { verifyFirms } from '../firms/verify.ts'
import { verifyHistory } from '../history/verify.ts'
import type { MemberReader } from '../members/verify.ts'
import { verifyMembers } from '../members/verify.ts'

export interface VerifyOptions {
  /** Firms only: compares row counts per key range, then compares fields in the ranges whose counts differ. */
  quick?: boolean
  /** Members and history only: maximum number of members to fetch. */
  sample?: number
  /** Compares only this slice of the records. */
  slice?: Slice
}

/** The function that compares each dataset with the service. */
export const COMPARISONS = { firms: verifyFirms, members: verifyMembers, history: verifyHistory }

/** Compares a dataset with the service and stores the differences for a repair. */
export async function verify(
  reader: MemberReader,
  dataset: Verifiable,
  options: VerifyOptions = {},
): Promise<Verification & { requests: number }> {
  const before = reader.client.counts.requests
  const found = await COMPARISONS[dataset](reader, options)
  const requests = reader.client.counts.requests - before
  await sql`
    insert into sync.verification (dataset, differences, requests) values (${dataset}, ${JSON.stringify(found.differences)}::jsonb, ${requests})
  `.execute(reader.warehouse.db)
  return { ...found, requests }
}
