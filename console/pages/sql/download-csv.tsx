import type { WarehouseQueryResult } from '../../../src/contract/warehouse-query.ts'
import { save } from '../../lib/http.ts'
import { toCsv } from './to-csv.ts'

/** A button that saves a query's result as a CSV file with this name. */
export const DownloadCsv = ({ result, name }: { result: WarehouseQueryResult; name: string }) => (
  <button
    type="button"
    class="button small no-print"
    onClick={() => save(new Blob([toCsv(result)], { type: 'text/csv' }), name)}
  >
    Download CSV
  </button>
)
