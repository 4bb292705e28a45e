import type { Company, Provenance } from '../../../src/contract/companies.ts'
import { formatField, formatNumber, formatPercent, plural } from '../../lib/format.ts'
import { Empty } from '../../ui/feedback.tsx'
import { Card } from '../../ui/page.tsx'
import { num, TableFrame, wide } from '../../ui/table-frame.tsx'
import { Outside, OutsideLink, Time } from '../../ui/text.tsx'

const FIELDS = [
  'name',
  'legal_name',
  'description',
  'industry',
  'naics_code',
  'naics_title',
  'employee_count',
  'employee_range',
  'headquarters_street',
  'headquarters_city',
  'headquarters_state',
  'headquarters_postal_code',
  'headquarters_country',
  'phone',
  'social_url',
  'logo_url',
  'founded_year',
] as const satisfies readonly (keyof Company)[]

/** A table of all fields, each with its value, evidence and rejected values. */
export function RecordTable({ company, provenance }: { company: Company; provenance: Provenance }) {
  const known = FIELDS.filter((field) => company[field] !== null)
  const missing = FIELDS.filter((field) => company[field] === null)
  if (known.length === 0)
    return (
      <Card>
        <Empty title="No data about this company yet">
          {company.status_reason ?? 'Enrich it to query all sources. The price is shown before you confirm.'}
        </Empty>
      </Card>
    )
  return (
    <Card title="Values and evidence" aside={<Status company={company} />} flush>
      <TableFrame
        label="Fields with their sources"
        columns={['Field', wide('Value'), 'Source', 'Observed', num('Confidence'), 'Other values']}
      >
        <tbody>
          {known.map((field) => (
            <Field key={field} name={field} value={company[field]} evidence={provenance[field]} />
          ))}
        </tbody>
      </TableFrame>
      {missing.length > 0 && (
        <p class="card-body muted">Not found: {missing.map((field) => formatField(field).toLowerCase()).join(', ')}.</p>
      )}
    </Card>
  )
}

const Status = ({ company: { status_reason } }: { company: Company }) =>
  status_reason ? (
    <span class="muted">
      <Outside max={160}>{status_reason}</Outside>
    </span>
  ) : null

function Field({
  name,
  value,
  evidence,
}: {
  name: string
  value: string | number | null
  evidence: Provenance[string] | undefined
}) {
  return (
    <tr>
      <th scope="row">{formatField(name)}</th>
      <td>
        <Value name={name} value={value} />
        {evidence?.raw && (
          <div class="muted">
            as written: <Outside max={120}>{evidence.raw}</Outside>
          </div>
        )}
      </td>
      {evidence ? (
        <>
          <td>
            <div>{evidence.source}</div>
            <div class="muted">
              {evidence.url ? <OutsideLink url={evidence.url}>{evidence.method}</OutsideLink> : evidence.method}
            </div>
          </td>
          <td>
            <Time iso={evidence.observed_at} />
          </td>
          <td class="num">{formatPercent(evidence.confidence)}</td>
          <td>
            <Others evidence={evidence} name={name} />
          </td>
        </>
      ) : (
        <td colSpan={4} class="muted">
          derived from other fields
        </td>
      )}
    </tr>
  )
}

function Others({ evidence: { alternatives }, name }: { evidence: Provenance[string]; name: string }) {
  if (alternatives.length === 0) return <span class="muted">none</span>
  return (
    <details>
      <summary>{plural(alternatives.length, 'value')}</summary>
      <ul class="stack-small">
        {alternatives.map((other) => (
          <li key={`${other.source} ${String(other.value)} ${other.url}`}>
            <Value name={name} value={other.value} />
            <div class="muted">
              {other.url ? <OutsideLink url={other.url}>{other.source}</OutsideLink> : other.source},{' '}
              {formatPercent(other.confidence)}, <Time iso={other.observed_at} />
            </div>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Value({ name, value }: { name: string; value: string | number | null }) {
  if (name.endsWith('_url')) return <OutsideLink url={String(value)} />
  if (typeof value === 'number') return <>{name === 'founded_year' ? value : formatNumber(value)}</>
  return <Outside>{value}</Outside>
}
