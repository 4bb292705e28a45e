import type {
  RunRequested,
  WarehouseOverview,
  WarehouseRun,
  WarehouseRunDetails,
  WarehouseRunPage,
  WarehouseRunQuery,
} from '../contract/warehouse.ts'

/** The warehouse as the routes see it. The process that serves them opens it; the service's own tables never meet it in a query. */
export interface Warehouse {
  readOverview(): Promise<WarehouseOverview>
  listRuns(query: WarehouseRunQuery): Promise<WarehouseRunPage>
  /** Throws `not_found`. */
  readRun(id: number): Promise<WarehouseRunDetails>
  /** Asks the scheduler to start a pipeline. Throws `not_found`, and `conflict` if it is running or already requested. */
  requestRun(pipeline: string): Promise<RunRequested>
  /** Asks the process of a run to stop it. Throws `not_found`, and `conflict` if it has ended. */
  requestStop(id: number): Promise<WarehouseRun>
  /** Running runs and those that ended in the last minute, whenever they change, until the signal aborts. */
  watchRuns(signal: AbortSignal): AsyncIterable<WarehouseRun[]>
}
