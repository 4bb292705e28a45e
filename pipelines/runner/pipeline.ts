import type { Client } from '../../src/client/index.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { Log } from '../../src/lib/logger.ts'
import type { Postgres } from '../../src/lib/postgres.ts'
import type { Sink } from '../sinks/sink.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { PipelineSettings } from './settings.ts'

/** What every pipeline counts while it works. Rows are the warehouse's, requests the service's. */
export interface Counts {
  inserted: number
  updated: number
  unchanged: number
  gone: number
  quarantined: number
  requests: number
}

export const noCounts = (): Counts => ({ inserted: 0, updated: 0, unchanged: 0, gone: 0, quarantined: 0, requests: 0 })

/** Adds what a piece of the work has written to what its run counts. */
export function addCounts(counts: RunContext['counts'], written: Partial<RunContext['counts']>): void {
  for (const [name, count] of Object.entries(written)) counts[name as keyof typeof counts] += count
}

/** Where and how the warehouse is exported. */
export interface SnapshotSettings {
  open: () => Promise<Sink>
  /** Size of a part before compression. */
  partBytes: number
  /** Snapshots that are kept; the latest one always is. */
  keep: number
  /** Views that are exported beside the tables. */
  views: readonly string[]
}

/** What all runs of one process share. */
export interface PipelineDeps {
  warehouse: Postgres<WarehouseTables>
  client: Client
  log: Log
  clock: Clock
  settings: PipelineSettings
  snapshots: SnapshotSettings
  /** A webhook, as Slack has them, that is told of runs that did not go well. */
  alertUrl?: string | undefined
}

/** What a pipeline is given for one run. */
export interface RunContext extends PipelineDeps {
  runId: number
  /** The pipeline adds to it as it commits, so that a run that fails tells what it did. The frame counts the requests. */
  counts: Omit<Counts, 'requests'> & { units: number }
  /** Aborts when the run must stop: somebody said so, or another process took it over. Work that is committed stays. */
  signal: AbortSignal
  /** Tells how far the work has come, in the pipeline's own unit. Cheap: call it after every page. */
  progress(done: number, total?: number): void
}

/** How a run ended by itself. What is thrown instead ends it as failed or interrupted, and the next run goes on. */
export interface PipelineResult {
  /** Why the outcome is not `ok`, in sentences that say what to do. None: it is. */
  reasons: string[]
}

export interface Pipeline {
  /** Its name on the command line, in the schedule and in the run log. */
  name: string
  description: string
  run(context: RunContext): Promise<PipelineResult>
}
