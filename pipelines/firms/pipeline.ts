import { FIRM_PAGE_MAXIMUM } from '../../src/contract/firms.ts'
import { Host } from '../host-profile/host.ts'
import type { Pipeline } from '../runner/pipeline.ts'
import { whenReachable } from '../runner/when-reachable.ts'
import { walk } from '../walk/walk.ts'
import { resumeWalk } from '../walk/walks.ts'
import { confirmUnchanged } from './confirm-unchanged.ts'
import { openFirms, startingWith } from './fetch-page.ts'
import { finishFirmWalk } from './finish-walk.ts'
import { sampleKeys } from './sample-keys.ts'
import { allOf, firmWalkSteps } from './walk-steps.ts'

/**
 * Pulls all firms with several workers, from the highest key at the start of the walk (the ceiling) down to the lowest.
 * Writes only changed firms, and ends after the first page if the service reports that no firm has changed. Marks missing firms as gone if the pull is verified to be complete and their share does
 * not exceed the limit.
 */
export const firms: Pipeline = {
  name: 'firms',
  async run(context) {
    const { db } = context.warehouse
    const host = await Host.open(context)
    const [{ walk: state, ranges }, pages] = await allOf([
      whenReachable(() => resumeWalk(db, firms.name, context.runId)),
      openFirms(context, host),
    ])
    if (await whenReachable(() => confirmUnchanged(context, state, pages.first)))
      return { reasons: host.driftReasons() }
    await walk(firmWalkSteps(context, state, startingWith(pages)), {
      concurrency: context.settings.concurrency,
      limit: FIRM_PAGE_MAXIMUM,
      ranges,
      sequential: state.key_order === 'foreign',
      knownKeys: await whenReachable(() => sampleKeys(db)),
      signal: context.signal,
    })
    // A retry is safe, because every step is idempotent.
    const reasons = await whenReachable(() => finishFirmWalk(context, state.id, pages.fetch))
    return { reasons: [...reasons, ...host.driftReasons()] }
  },
}
