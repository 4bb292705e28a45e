import type { RunRequested } from '../../../src/contract/warehouse.ts'
import type { WarehouseComparison, WarehouseComparisons } from '../../../src/contract/warehouse-trust.ts'
import { formatField, plural } from '../../lib/format.ts'
import { request } from '../../lib/http.ts'
import { liveRuns, useReloadOnChange } from '../../lib/live.ts'
import { may } from '../../lib/session.ts'
import { useResource } from '../../lib/use-resource.ts'
import { ConfirmButton } from '../../ui/dialog.tsx'
import { Badge, Notice, toast } from '../../ui/feedback.tsx'
import { Card, Loaded } from '../../ui/page.tsx'
import { TableFrame, wide } from '../../ui/table-frame.tsx'
import { Outside, Time } from '../../ui/text.tsx'
import { SideBySide } from './side-by-side.tsx'

const DATASETS = ['firms', 'members', 'history'] as const
type Dataset = (typeof DATASETS)[number]

/** The latest comparison of each dataset with the service, and the repair of any differences. */
export function Comparisons() {
  const page = useResource<WarehouseComparisons>('/v2/warehouse/comparisons')
  const live = liveRuns.value
  useReloadOnChange(live, page.reload)
  const running = new Set(live?.filter(({ state }) => state === 'running').map(({ pipeline }) => pipeline))
  return (
    <Loaded resource={page}>
      {({ comparisons }) =>
        DATASETS.map((dataset) => (
          <Dataset
            key={dataset}
            dataset={dataset}
            comparison={comparisons.find((one) => one.dataset === dataset)}
            running={['verify', 'repair'].find((work) => running.has(`${work}-${dataset}`))}
          />
        ))
      }
    </Loaded>
  )
}

interface DatasetProps {
  dataset: Dataset
  comparison: WarehouseComparison | undefined
  running: string | undefined
}

function Dataset({ dataset, comparison, running }: DatasetProps) {
  const open = comparison && comparison.repaired_at === null ? comparison.total : 0
  return (
    <Card
      title={
        <span class="row wrap">
          {formatField(dataset)} <State comparison={comparison} running={running} />
        </span>
      }
      aside={
        may('admin') &&
        !running && (
          <span class="row no-print">
            <Start work="verify" dataset={dataset} label="Compare now" />
            {open > 0 && <Start work="repair" dataset={dataset} label={`Repair ${plural(open, 'difference')}`} />}
          </span>
        )
      }
      flush={open > 0}
    >
      {open > 0 && comparison ? <Differences comparison={comparison} /> : <p class="muted">{explain(comparison)}</p>}
    </Card>
  )
}

function State({ comparison, running }: Omit<DatasetProps, 'dataset'>) {
  if (running) return <Badge tone="live">{running === 'verify' ? 'Comparing' : 'Repairing'}</Badge>
  if (!comparison) return <Badge tone="idle">Not compared yet</Badge>
  if (comparison.repaired_at !== null) return <Badge tone="good">Repaired</Badge>
  if (comparison.total === 0) return <Badge tone="good">No differences</Badge>
  return <Badge tone="warn">{plural(comparison.total, 'difference')}</Badge>
}

function explain(comparison: WarehouseComparison | undefined) {
  if (!comparison) return 'A comparison reads all records from the service, at no cost, and lists the differences.'
  const differences =
    comparison.total === 0 ? 'found no difference' : `found ${plural(comparison.total, 'difference')}, since repaired`
  return (
    <>
      Compared <Time iso={comparison.verified_at} /> with {plural(comparison.requests, 'request')}: {differences}.
    </>
  )
}

const TEXTS = {
  verify: [
    'Compare',
    'reads all records of the service and lists the differences. It costs no units and changes nothing.',
  ],
  repair: ['Repair', 'fetches only the differing records and stores the version from the service. It costs no units.'],
} as const

function Start({ work, dataset, label }: { work: 'verify' | 'repair'; dataset: Dataset; label: string }) {
  const [verb, effect] = TEXTS[work]
  const start = async () => {
    const body = { pipeline: `${work}-${dataset}` }
    const { message } = await request<RunRequested>('POST', '/v2/warehouse/runs', { body })
    toast(message)
  }
  return (
    <ConfirmButton label={label} look="small" title={`${verb} ${dataset}`} confirm={label} run={start}>
      <p>The run {effect}</p>
    </ConfirmButton>
  )
}

const KINDS = {
  missing: ['warn', 'Only in the service'],
  extra: ['warn', 'Only in the warehouse'],
  differs: ['idle', 'Differs'],
} as const

function Differences({ comparison: { differences, total, verified_at } }: { comparison: WarehouseComparison }) {
  return (
    <>
      <TableFrame label="Differences" columns={['Record', 'Difference', wide('Values')]}>
        <tbody>
          {differences.map((difference, index) => {
            const { kind, entity, key, record, fields = [] } = difference
            const [tone, label] = KINDS[kind]
            return (
              <tr key={`${index} ${key}`}>
                <th scope="row">
                  {formatField(entity)} <Outside max={80}>{record ? `${key} / ${record}` : key}</Outside>
                </th>
                <td>
                  <Badge tone={tone}>{label}</Badge>
                </td>
                <td>
                  {fields.length > 0 && (
                    <SideBySide entity={entity} recordKey={key} fields={fields} hasRecord={record !== undefined} />
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </TableFrame>
      <Notice>
        Compared <Time iso={verified_at} />.{' '}
        {total > differences.length && `The first ${differences.length} of ${plural(total, 'difference')} are shown.`}
      </Notice>
    </>
  )
}
