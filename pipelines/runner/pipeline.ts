import type { Selectable } from 'kysely'
import type { DatabaseClock } from '../../src/lib/database-clock.ts'
import type { Log } from '../../src/lib/logger.ts'
import type { Postgres } from '../../src/lib/postgres.ts'
import type { HostClient } from '../host/host-client.ts'
import type { Sink } from '../sinks/sink.ts'
import type { RunTable } from '../warehouse/sync-tables.ts'
import type { WarehouseTables } from '../warehouse/tables.ts'
import type { PipelineSettings } from './settings.ts'

/** The rows that a run wrote to the warehouse, and the requests that it sent to the service. */
export interface Counts {
  inserted: number
  updated: number
  unchanged: number
  gone: number
  quarantined: number
  requests: number
}

export const noCounts = (): Counts => ({ inserted: 0, updated: 0, unchanged: 0, gone: 0, quarantined: 0, requests: 0 })

/** Adds counts to the run's counts. */
export function addCounts(counts: RunContext['counts'], written: Partial<RunContext['counts']>): void {
  for (const [name, count] of Object.entries(written)) counts[name as keyof typeof counts] += count
}

/** Location and format of snapshots. */
export interface SnapshotSettings {
  open: () => Promise<Sink>
  /** Uncompressed size of a part file. */
  partBytes: number
  formats: readonly ('csv' | 'parquet')[]
  csvCompression: 'gzip' | 'zstd'
  /** Number of snapshots to keep. The latest snapshot is never deleted. */
  keep: number
  /** Views to export in addition to the tables. */
  views: readonly string[]
}

/** Reports runs to operators. Errors in the reporter are logged, not thrown, so that a report cannot fail a run. */
export interface RunReporter {
  /** `previous` is the pipeline's latest earlier run that was not interrupted. */
  runEnded(run: Selectable<RunTable>, previous: Selectable<RunTable> | undefined): Promise<void>
}

/**
 * Reports the start and the end of every run to a catalog. Errors in the reporter are logged, because a report must not
 * fail a run.
 */
export interface LineageReporter {
  report(run: Selectable<RunTable>, parent: Selectable<RunTable> | undefined): Promise<void>
}

/** Dependencies shared by all runs in a process. */
export interface PipelineDeps {
  warehouse: Postgres<WarehouseTables>
  client: HostClient
  log: Log
  /** The warehouse's clock. */
  clock: DatabaseClock
  /**
   * Waits for the given number of milliseconds. Throws the signal's reason if the signal aborts first. Tests advance
   * the clock instead of waiting.
   */
  sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** The schedule's time zone, which determines the date of a night. */
  timeZone: string
  settings: PipelineSettings
  snapshots: SnapshotSettings
  /** Reports runs to operators. @default no reports */
  reporter?: RunReporter | undefined
  /** Reports lineage events. @default no events */
  lineage?: LineageReporter | undefined
}

/** The dependencies and state of one run. */
export interface RunContext extends PipelineDeps {
  runId: number
  /** Updated by the pipeline at each commit, so that failed runs also report their work. The runner counts requests. */
  counts: Omit<Counts, 'requests'> & { units: number }
  /** Aborts when the run is interrupted or declared abandoned. Committed work is kept. */
  signal: AbortSignal
  /** Reports progress in the pipeline's unit, such as members. Idempotent. */
  progress(done: number, total?: number): void
}

/** The result of a completed run. If a pipeline throws, its run ends as failed or interrupted. */
export interface PipelineResult {
  /**
   * The reasons that the outcome is `degraded`. Each reason states a problem and its solution. Empty if the outcome is
   * `ok`.
   */
  reasons: string[]
  /** Whether a retry in the same nightly run may resolve one of the reasons. @default false */
  retryable?: boolean
}

export interface Pipeline {
  /** The name used on the command line, in the schedule and in `sync.run`. */
  name: string
  run(context: RunContext): Promise<PipelineResult>
}
