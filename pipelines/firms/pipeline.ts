import { FIRM_PAGE_MAXIMUM } from '../../src/contract/firms.ts'
import type { Pipeline } from '../runner/pipeline.ts'
import { whenReachable } from '../runner/when-reachable.ts'
import { walk } from '../walk/walk.ts'
import { resumeWalk } from '../walk/walks.ts'
import { fetchFirms } from './fetch-page.ts'
import { closeFirmWalk } from './finish-walk.ts'
import { sampleKeys } from './sample-keys.ts'
import { firmWalkSteps } from './walk-steps.ts'

/**
 * Pulls all firms of the service into the warehouse: from a ceiling frozen at the start down to the lowest key, several workers at once.
 * Only what changed is written. Firms that are missing are marked gone when the pull is proved complete, and not too many are.
 */
export const firms: Pipeline = {
  name: 'firms',
  description: 'Pull all firms of the service into the warehouse',
  async run(context) {
    const { db } = context.warehouse
    const { walk: state, ranges } = await whenReachable(() => resumeWalk(db, firms.name, context.runId))
    const fetch = await fetchFirms(context, state)
    await walk(firmWalkSteps(context, state, fetch), {
      concurrency: context.settings.concurrency,
      limit: FIRM_PAGE_MAXIMUM,
      ranges,
      alone: state.key_order === 'foreign',
      knownKeys: await whenReachable(() => sampleKeys(db)),
      signal: context.signal,
    })
    // Each step of it can be done twice: what is marked or closed stays so.
    return { reasons: await whenReachable(() => closeFirmWalk(context, state.id, fetch)) }
  },
}
