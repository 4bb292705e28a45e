import type { SourceAnswer } from '../../../src/contract/companies.ts'
import type { Tone } from '../../ui/feedback.tsx'
import { Badge } from '../../ui/feedback.tsx'
import { TableCard, wide } from '../../ui/table-frame.tsx'
import { Outside, Time } from '../../ui/text.tsx'

const STATUS: Record<SourceAnswer['status'], [Tone, string]> = {
  found: ['good', 'Found'],
  not_found: ['idle', 'Not found'],
  unavailable: ['warn', 'Unavailable'],
  refused: ['bad', 'Refused'],
}

/** The latest result from each source. */
export function Sources({ sources }: { sources: readonly SourceAnswer[] }) {
  if (sources.length === 0) return null
  return (
    <TableCard
      title="Sources queried"
      label="Sources"
      columns={['Source', 'Result', 'Field groups', 'When', wide('Reason')]}
    >
      {sources.map(({ source, status, groups, asked_at, reason, failures }) => (
        <tr key={source}>
          <th scope="row">{source}</th>
          <td>
            <Badge tone={STATUS[status][0]}>{STATUS[status][1]}</Badge>
          </td>
          <td>{groups.join(', ')}</td>
          <td>
            <Time iso={asked_at} />
          </td>
          <td>
            <Outside>{reason}</Outside>
            {failures > 1 && <span class="muted"> ({failures} times in a row)</span>}
          </td>
        </tr>
      ))}
    </TableCard>
  )
}
