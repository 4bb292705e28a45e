import type {
  RunRequested,
  WarehouseOverview,
  WarehouseRun,
  WarehouseRunDetails,
  WarehouseRunPage,
  WarehouseRunQuery,
} from '../contract/warehouse.ts'

/**
 * The warehouse, as seen by the routes. The serving process opens it. No query combines it with the service's tables.
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
  /** Requests the stop of a run. Throws `not_found`, and `conflict` if the run has ended. */
  requestStop(id: number): Promise<WarehouseRun>
  /** Yields running runs and runs that ended in the last minute, on each change, until the signal aborts. */
  watchRuns(signal: AbortSignal): AsyncIterable<WarehouseRun[]>
}
