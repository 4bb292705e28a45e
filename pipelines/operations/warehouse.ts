import type { BudgetUpdate } from '../../src/contract/warehouse-budget.ts'
import { listChecks } from '../checks/expectations.ts'
import { readResults } from '../checks/run-checks.ts'
import { readBudget, setBudget } from '../enrich/budget.ts'
import type { PipelineSettings } from '../runner/settings.ts'
import { createBackfill, listAllBackfills, pauseBackfill, startBackfill } from './backfills.ts'
import { readDictionary } from './dictionary.ts'
import type { OverviewDeps } from './overview.ts'
import { createOverview } from './overview.ts'
import type { QueryDeps } from './query.ts'
import { runQuery } from './query.ts'
import { createRunWatch, listTopRuns, readRunDetails, requestRun, requestStop } from './runs.ts'
import { listAllSnapshots, listComparisons, listQuarantine, readSnapshot } from './trust.ts'

/** The warehouse operations that the console uses. */
export const openOperations = (deps: OverviewDeps & QueryDeps & { settings: PipelineSettings }) => ({
  readOverview: createOverview(deps),
  listRuns: listTopRuns.bind(undefined, deps.db),
  readRun: readRunDetails.bind(undefined, deps.db),
  requestRun: requestRun.bind(undefined, deps.db),
  requestStop: requestStop.bind(undefined, deps.db),
  watchRuns: createRunWatch(deps.db),
  readDictionary: () => readDictionary(deps.db),
  runQuery: runQuery.bind(undefined, deps),
  listChecks: async () => ({ checks: await readResults(deps.db, listChecks(deps.settings.expectations)) }),
  listComparisons: () => listComparisons(deps.db),
  listQuarantine: listQuarantine.bind(undefined, deps.db),
  listSnapshots: () => listAllSnapshots(deps.openSink),
  readSnapshot: readSnapshot.bind(undefined, deps.openSink),
  listBackfills: () => listAllBackfills(deps.db),
  createBackfill: createBackfill.bind(undefined, deps),
  startBackfill: startBackfill.bind(undefined, deps.db),
  pauseBackfill: pauseBackfill.bind(undefined, deps.db),
  readBudget: () => readBudget(deps.db, deps.settings.enrich),
  setBudget: async (budget: BudgetUpdate | null) => {
    await setBudget(deps.db, budget)
    return await readBudget(deps.db, deps.settings.enrich)
  },
})
