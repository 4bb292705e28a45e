import type { OverviewDeps } from './overview.ts'
import { createOverview } from './overview.ts'
import { listTopRuns, readRunDetails, requestRun, requestStop, watchRuns } from './runs.ts'

/** The warehouse operations that the console uses. */
export const openOperations = (deps: OverviewDeps) => ({
  readOverview: createOverview(deps),
  listRuns: listTopRuns.bind(undefined, deps.db),
  readRun: readRunDetails.bind(undefined, deps.db),
  requestRun: requestRun.bind(undefined, deps.db),
  requestStop: requestStop.bind(undefined, deps.db),
  watchRuns: watchRuns.bind(undefined, deps.db),
})
