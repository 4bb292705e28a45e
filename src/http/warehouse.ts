import type {
  RunRequested,
  WarehouseOverview,
  WarehouseRun,
  WarehouseRunDetails,
  WarehouseRunPage,
  WarehouseRunQuery,
} from '../contract/warehouse.ts'
import type { Backfill, BackfillList, BackfillPlan } from '../contract/warehouse-backfills.ts'
import type { Budget, BudgetUpdate } from '../contract/warehouse-budget.ts'
import type { WarehouseDictionary, WarehouseQuery, WarehouseQueryResult } from '../contract/warehouse-query.ts'

import type {
  QuarantinePage,
  QuarantineQuery,
  SnapshotList,
  SnapshotManifest,
  WarehouseChecks,
  WarehouseComparisons,
} from '../contract/warehouse-trust.ts'

/**
 * The routes' interface to the warehouse, which the serving process opens. Queries never join warehouse tables with
 * service tables.
 */
export interface Warehouse {
  readOverview(): Promise<WarehouseOverview>
  listRuns(query: WarehouseRunQuery): Promise<WarehouseRunPage>
  /** Throws `not_found`. */
  readRun(id: number): Promise<WarehouseRunDetails>
  /**
   * Requests that the scheduler start a pipeline. Throws `not_found`, and `conflict` if the pipeline is running or
   * already requested.
   */
  requestRun(pipeline: string): Promise<RunRequested>
  /** Requests that a run stop. Throws `not_found`, and `conflict` if the run has ended. */
  requestStop(id: number): Promise<WarehouseRun>
  /**
   * On each change, yields the current runs and the runs that ended in the last minute, until the signal is aborted.
   */
  watchRuns(signal: AbortSignal): AsyncIterable<WarehouseRun[]>
  /** The tables, columns and functions for analysts. */
  readDictionary(): Promise<WarehouseDictionary>
  /** Runs a statement with an analyst's permissions. The signal cancels the statement. Throws `unprocessable`. */
  runQuery(query: WarehouseQuery, signal: AbortSignal): Promise<WarehouseQueryResult>
  /** The latest result of each check. */
  listChecks(): Promise<WarehouseChecks>
  /** The latest comparison of each dataset with the service. */
  listComparisons(): Promise<WarehouseComparisons>
  listQuarantine(query: QuarantineQuery): Promise<QuarantinePage>
  listSnapshots(): Promise<SnapshotList>
  /** Throws `not_found`. */
  readSnapshot(id: string): Promise<SnapshotManifest>
  listBackfills(): Promise<BackfillList>
  /** Estimates the cost of a backfill and saves it as a plan. Throws `invalid_request`. */
  createBackfill(plan: BackfillPlan): Promise<Backfill>
  /** Requests the start of a backfill. Throws `not_found` and `conflict`. */
  startBackfill(id: number): Promise<Backfill>
  /** Pauses a backfill once its current part is complete. Throws `not_found` or `conflict`. */
  pauseBackfill(id: number): Promise<Backfill>
  readBudget(): Promise<Budget>
  /** Sets the nightly budget; null restores the budget from the settings. */
  setBudget(budget: BudgetUpdate | null): Promise<Budget>
}
