import { useState } from 'preact/hooks'
import type { WarehouseChecks } from '../../../src/contract/warehouse-trust.ts'
import { plural, printable } from '../../lib/format.ts'
import type { RequestError } from '../../lib/http.ts'
import { asRequestError, request } from '../../lib/http.ts'
import { Badge, Empty, Failure, Skeleton } from '../../ui/feedback.tsx'
import { Card } from '../../ui/page.tsx'
import { TableFrame, wide } from '../../ui/table-frame.tsx'

/** The invariants of the warehouse, checked on request because each reads whole tables. */
export function Checks() {
  const [checks, setChecks] = useState<WarehouseChecks['checks']>()
  const [error, setError] = useState<RequestError>()
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    setError(undefined)
    try {
      setChecks((await request<WarehouseChecks>('POST', '/v2/warehouse/checks')).checks)
    } catch (problem) {
      setError(asRequestError(problem))
    }
    setBusy(false)
  }
  const button = (
    <button type="button" class="button" disabled={isBusy} onClick={() => void run()}>
      {checks ? 'Check again' : 'Run the checks'}
    </button>
  )
  if (error) return <Failure error={error} onRetry={() => void run()} />
  if (isBusy && !checks) return <Skeleton lines={12} />
  if (!checks)
    return (
      <Empty title="Check the rules of the warehouse" action={button}>
        Each rule reads whole tables, so checks run only on request. They change nothing.
      </Empty>
    )
  const failed = checks.filter(({ failures }) => failures > 0)
  return (
    <Card
      title={
        failed.length === 0
          ? `All ${checks.length} checks passed`
          : `${failed.length} of ${checks.length} checks failed`
      }
      aside={button}
      flush
    >
      <TableFrame label="Checks" columns={['Result', wide('Rule')]}>
        <tbody>
          {[...failed, ...checks.filter(({ failures }) => failures === 0)].map(
            ({ name, description, failures, examples }) => (
              <tr key={name}>
                <td>
                  {failures === 0 ? (
                    <Badge tone="good">Passed</Badge>
                  ) : (
                    <Badge tone="bad">{plural(failures, 'row')}</Badge>
                  )}
                </td>
                <td>
                  <div class="strong">{name}</div>
                  <div class="muted">{description}</div>
                  {examples.length > 0 && (
                    <pre class="code">
                      {examples.map((example) => printable(JSON.stringify(example)).slice(0, 500)).join('\n')}
                    </pre>
                  )}
                </td>
              </tr>
            ),
          )}
        </tbody>
      </TableFrame>
    </Card>
  )
}
