import type { Leader } from '../../../src/contract/companies.ts'
import { formatField, formatPercent } from '../../lib/format.ts'
import type { Tone } from '../../ui/feedback.tsx'
import { Badge, Empty } from '../../ui/feedback.tsx'
import { Card } from '../../ui/page.tsx'
import { num, TableCard, wide } from '../../ui/table-frame.tsx'
import { Outside, OutsideLink, Time } from '../../ui/text.tsx'

const EMAIL: Record<string, [Tone, string]> = {
  published: ['good', 'published'],
  derived: ['warn', 'derived'],
  guessed: ['idle', 'guessed'],
}

/** A company's people, most senior first, each with a link to the page that lists the person. */
export function People({ people, searchedAt }: { people: readonly Leader[]; searchedAt: string | null }) {
  if (people.length === 0)
    return (
      <Card>
        <Empty title="No people are known">
          {searchedAt
            ? "The last search found none on the company's website or in its filings."
            : 'They have not been searched for yet. Choose “Enrich” and “Also find its people”.'}
        </Empty>
      </Card>
    )
  return (
    <TableCard
      title="People"
      aside={
        searchedAt && (
          <span class="muted">
            searched <Time iso={searchedAt} />
          </span>
        )
      }
      label="People"
      columns={['Name', wide('Title'), 'Seniority', 'Department', 'Email', 'Source', num('Confidence')]}
    >
      {people.map((person) => {
        const [tone, label] = EMAIL[person.email_status ?? ''] ?? ['idle', 'unknown']
        return (
          <tr key={person.person_id}>
            <th scope="row">
              <Outside max={120}>{person.full_name}</Outside>
            </th>
            <td>
              <Outside max={120}>{person.title}</Outside>
            </td>
            <td>{person.seniority ? formatField(person.seniority) : <span class="faint">–</span>}</td>
            <td>{person.department ? formatField(person.department) : <span class="faint">–</span>}</td>
            <td>
              {person.email ? (
                <>
                  <Outside max={80}>{person.email}</Outside>{' '}
                  <Badge tone={tone}>
                    {label}
                    {person.email_confidence !== null && ` ${formatPercent(person.email_confidence)}`}
                  </Badge>
                </>
              ) : (
                <span class="faint">–</span>
              )}
            </td>
            <td>
              {person.url ? (
                <OutsideLink url={person.url}>{person.source ?? 'page'}</OutsideLink>
              ) : (
                <Outside>{person.source}</Outside>
              )}
            </td>
            <td class="num">{person.confidence === null ? '–' : formatPercent(person.confidence)}</td>
          </tr>
        )
      })}
    </TableCard>
  )
}
