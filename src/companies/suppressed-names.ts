import type { Db } from '../db/database.ts'
import type { Observation } from '../findings/provider.ts'
import { redactNames } from '../personal-data/matcher.ts'
import { suppressedNames } from '../persons/suppression-list.ts'

/** Replaces the names of suppressed people in descriptions of the company. */
export async function redactSuppressedNames(
  trx: Db,
  domain: string,
  observations: readonly Observation[],
): Promise<Observation[]> {
  const descriptions = observations.filter(({ field }) => field === 'description')
  const texts = descriptions.flatMap(({ value, raw }) => [String(value), raw ?? ''])
  const isSuppressed = await suppressedNames(
    trx,
    texts.map((text) => ({ domain, text })),
  )
  const redact = (text: string): string => redactNames(text, (run) => isSuppressed(domain, run))
  return observations.map((observation) =>
    observation.field === 'description'
      ? ({
          ...observation,
          value: redact(String(observation.value)),
          ...(observation.raw !== undefined && { raw: redact(observation.raw) }),
        } as Observation)
      : observation,
  )
}
