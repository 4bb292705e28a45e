import type { Run } from '../runner/runs.ts'
import { uuidOf } from '../warehouse/rejected-record.ts'
import { datasetsOf } from './datasets.ts'

/** The names of the installation's systems in events. */
export interface LineageNames {
  /** Namespace of the jobs. */
  namespace: string
  /** Base URL of the service. */
  serviceUrl: string
  /** URL of the warehouse. */
  warehouseUrl: string
  /** URL of the snapshots. */
  snapshotUrl: string
}

/** A dataset, named according to https://openlineage.io/docs/spec/naming. */
interface Dataset {
  namespace: string
  name: string
}

const PRODUCER = 'https://www.npmjs.com/package/talhouse'
const SPEC = 'https://openlineage.io/spec'

const EVENT_TYPES = {
  running: 'START',
  completed: 'COMPLETE',
  failed: 'FAIL',
  interrupted: 'ABORT',
  abandoned: 'ABORT',
} as const

/**
 * The OpenLineage event about the state of a run (https://openlineage.io/docs/spec/object-model, version 2-0-2). The
 * event contains dataset names and row counts, but no record data.
 */
export function runEvent(run: Run, parent: Run | undefined, names: LineageNames) {
  const { reads, writes } = datasetsOf(run.pipeline)
  const { namespace } = names
  const outputs = writes.map((name) => datasetOf(name, names))
  const isEnded = run.state !== 'running'
  return {
    eventType: EVENT_TYPES[run.state],
    eventTime: run.ended_at ?? run.started_at,
    producer: PRODUCER,
    schemaURL: `${SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent`,
    run: {
      runId: runIdOf(run, names),
      facets: {
        ...(parent && {
          parent: facet('1-2-0/ParentRunFacet', {
            run: { runId: runIdOf(parent, names) },
            job: { namespace, name: parent.pipeline },
          }),
        }),
        ...(run.scheduled_for !== null && {
          nominalTime: facet('1-0-1/NominalTimeRunFacet', { nominalStartTime: run.scheduled_for }),
        }),
        ...(run.error_code !== null && {
          errorMessage: facet('1-0-1/ErrorMessageRunFacet', {
            message: run.error_code,
            programmingLanguage: 'JavaScript',
          }),
        }),
        ...(isEnded && { talhouse_run: { ...custom('RunFacet'), ...countsOf(run) } }),
      },
    },
    job: {
      namespace,
      name: run.pipeline,
      facets: {
        jobType: facet('2-0-4/JobTypeJobFacet', {
          processingType: 'BATCH',
          integration: 'TALHOUSE',
          jobType: 'PIPELINE',
        }),
      },
    },
    inputs: reads.map((name) => datasetOf(name, names)),
    outputs,
  }
}

/**
 * The run id in all events about a run. The id depends on the start time, because a re-created warehouse reuses run
 * ids.
 */
const runIdOf = ({ id, started_at }: Run, { warehouseUrl }: LineageNames): string =>
  uuidOf([warehouseName(warehouseUrl), id, started_at])

const countsOf = ({ id, outcome, inserted, updated, unchanged, gone, quarantined, requests, units }: Run) => ({
  ...{ run: id, outcome, inserted, updated, unchanged, gone, quarantined, requests, units },
})

const facet = <Values extends object>(schema: string, values: Values) => ({
  _producer: PRODUCER,
  _schemaURL: `${SPEC}/facets/${schema}.json#/$defs/${schema.split('/')[1]}`,
  ...values,
})

const custom = (kind: string) => ({
  _producer: PRODUCER,
  _schemaURL: `${SPEC}/2-0-2/OpenLineage.json#/$defs/${kind}`,
})

function datasetOf(name: string, { serviceUrl, warehouseUrl, snapshotUrl }: LineageNames): Dataset {
  if (name.startsWith('/')) return { namespace: new URL(serviceUrl).origin, name }
  if (name === 'snapshots') {
    const { protocol, host, pathname } = new URL(snapshotUrl)
    return protocol === 'file:'
      ? { namespace: 'file', name: pathname }
      : { namespace: `${protocol}//${host}`, name: pathname.slice(1) || '/' }
  }
  const { namespace, name: database } = warehouseName(warehouseUrl)
  return { namespace, name: `${database}.${name}` }
}

/** The warehouse's host and database, without user and password. */
function warehouseName(url: string): Dataset {
  const { hostname, port, pathname } = new URL(url)
  return { namespace: `postgres://${hostname || 'localhost'}:${port || 5432}`, name: pathname.slice(1) }
}
