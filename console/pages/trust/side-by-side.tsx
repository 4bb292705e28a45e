import { useState } from 'preact/hooks'
import type { Company } from '../../../src/contract/companies.ts'
import type { FirmPage } from '../../../src/contract/firms.ts'
import type { WarehouseQueryResult } from '../../../src/contract/warehouse-query.ts'
import { formatField } from '../../lib/format.ts'
import type { RequestError } from '../../lib/http.ts'
import { asRequestError, get, request } from '../../lib/http.ts'
import { Failure, Skeleton } from '../../ui/feedback.tsx'
import { Outside } from '../../ui/text.tsx'

interface SideBySideProps {
  entity: string
  /** A firm's SEC number or a company's domain. */
  recordKey: string
  fields: readonly string[]
  /** Whether the difference is in a part of the record, such as a person. */
  hasRecord: boolean
}

type Values = Record<string, unknown>

/** Lists the differing fields. When opened, it loads and shows their values in the service and in the warehouse. */
export function SideBySide({ entity, recordKey, fields, hasRecord }: SideBySideProps) {
  const [values, setValues] = useState<{ service: Values; warehouse: Values }>()
  const [error, setError] = useState<RequestError>()
  const read = READERS[entity]
  if (!read || hasRecord) return <>{fields.map(formatField).join(', ')}</>
  const load = async () => {
    try {
      setValues(await read(recordKey, fields))
    } catch (problem) {
      setError(asRequestError(problem))
    }
  }
  return (
    <details onToggle={(event) => event.currentTarget.open && void load()}>
      <summary>{fields.map(formatField).join(', ')}</summary>
      {error ? (
        <Failure error={error} />
      ) : values ? (
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Service</th>
              <th scope="col">Warehouse</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field}>
                <th scope="row">{formatField(field)}</th>
                <td>
                  <Value value={values.service[field]} />
                </td>
                <td>
                  <Value value={values.warehouse[field]} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <Skeleton lines={2} />
      )}
    </details>
  )
}

const Value = ({ value }: { value: unknown }) => (
  <Outside max={200}>
    {value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value)}
  </Outside>
)

type Reader = (key: string, fields: readonly string[]) => Promise<{ service: Values; warehouse: Values }>

const READERS: Record<string, Reader> = {
  firm: async (key, fields) => {
    const body = { select: fields, filters: { sec_number: `eq.${key}` }, limit: 1 }
    const [page, warehouse] = await Promise.all([
      request<FirmPage>('POST', '/firms', { body }),
      readRow('firm', 'sec_number', key),
    ])
    return { service: (page.data[0] ?? {}) as Values, warehouse }
  },
  company: async (key) => {
    const [company, warehouse] = await Promise.all([
      get<Company>(`/v2/companies/${encodeURIComponent(key)}`),
      readRow('company', 'domain', key),
    ])
    return { service: company as unknown as Values, warehouse }
  },
}

/** Reads a warehouse row by its key. */
async function readRow(table: string, column: string, key: string): Promise<Values> {
  const sql = `select * from warehouse.${table} where ${column} = '${key.replaceAll("'", "''")}' limit 1`
  const { columns, rows } = await request<WarehouseQueryResult>('POST', '/v2/warehouse/query', {
    body: { sql, limit: 1 },
  })
  return Object.fromEntries(columns.map(({ name }, place) => [name, rows[0]?.[place]]))
}
