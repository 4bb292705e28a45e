import type { Db } from '../../src/db/database.ts'
import type { Queue } from '../../src/lib/queue.ts'
import type { Idempotency } from '../../src/tasks/idempotency.ts'
import type { SubmissionReply } from '../../src/tasks/submit.ts'
import { submitTask } from '../../src/tasks/submit.ts'
import { TEST_ACTOR } from './clients.ts'

/** Submits companies as a batch, for one unit each. */
export async function submitCompanies(
  { db, queue }: { db: Db; queue: Queue },
  clientId: string,
  domains: readonly string[],
  { idempotency = null, callbackUrl = null }: { idempotency?: Idempotency | null; callbackUrl?: string | null } = {},
): Promise<SubmissionReply> {
  return await submitTask(
    { db, queue },
    {
      clientId,
      idempotency,
      actor: TEST_ACTOR,
      plan: async () => ({
        taskType: 'enrich_batch',
        input: { domains },
        callbackUrl,
        message: 'accepted',
        items: domains.map((domain) => ({ entity: 'company', groups: ['company'], domain, input: {}, cost: 1 })),
      }),
    },
  )
}

export const domainNames = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `company-${index + 1}.example`)
