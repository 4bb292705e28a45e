import { useState } from 'preact/hooks'
import type { WarehouseQueryResult } from '../../../src/contract/warehouse-query.ts'
import { formatDuration, plural } from '../../lib/format.ts'
import { Empty, Notice } from '../../ui/feedback.tsx'
import { Card } from '../../ui/page.tsx'
import { DownloadCsv } from './download-csv.tsx'
import { ResultChart } from './result-chart.tsx'
import { ResultTable } from './result-table.tsx'

/** The result as a table or a chart, with a CSV download. */
export function Result({ result }: { result: WarehouseQueryResult }) {
  const [isChart, setChart] = useState(false)
  const { rows, columns, is_truncated, seconds } = result
  const canChart = rows.length > 1 && columns.length > 1 && columns.some(({ is_numeric }) => is_numeric)
  if (rows.length === 0)
    return <Empty title="No rows">The query ran in {formatDuration(seconds)} and returned no rows.</Empty>
  return (
    <Card
      title={`${plural(rows.length, 'row')} in ${formatDuration(seconds)}`}
      aside={
        <span class="row wrap no-print">
          {canChart && (
            <button type="button" class="button small" aria-pressed={isChart} onClick={() => setChart(!isChart)}>
              {isChart ? 'Show the table' : 'Show a chart'}
            </button>
          )}
          <DownloadCsv result={result} name="result.csv" />
        </span>
      }
      flush
    >
      {is_truncated && (
        <Notice tone="warn">
          The query returned more rows than are shown here. Select a higher number of rows, or use{' '}
          <code>talhouse query</code>.
        </Notice>
      )}
      {isChart && canChart ? <ResultChart result={result} /> : <ResultTable result={result} />}
    </Card>
  )
}
