import type { QuarantinePage } from '../../../src/contract/warehouse-trust.ts'
import { withQuery } from '../../lib/http.ts'
import { useQuery } from '../../lib/use-query.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Empty } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/page.tsx'
import { PageLinks } from '../../ui/pager.tsx'
import { Rejected } from '../../ui/rejected.tsx'

const PAGE = 50

/** Records that the warehouse could not store. */
export function Quarantine() {
  const { query, href, change } = useQuery()
  const offset = Number(query['offset'] ?? 0)
  const resolved = query['resolved'] === 'true'
  const page = useResource<QuarantinePage>(
    withQuery('/v2/warehouse/quarantine', { resolved, limit: PAGE, offset: offset || undefined }),
  )
  return (
    <>
      <label class="check no-print">
        <input
          type="checkbox"
          checked={resolved}
          onChange={() => change({ resolved: resolved ? undefined : 'true', offset: undefined })}
        />
        Show resolved records
      </label>
      <Loaded resource={page}>
        {({ records, has_more }) =>
          records.length === 0 ? (
            <Empty title={resolved ? 'No resolved records' : 'No rejected records'}>
              Records that the warehouse cannot store are kept here with the reason, until the service corrects them.
            </Empty>
          ) : (
            <div>
              <Rejected records={records} />
              <PageLinks
                links={[
                  offset > 0 && { name: 'Previous', href: href({ offset: Math.max(0, offset - PAGE) || undefined }) },
                  has_more && { name: 'Next', href: href({ offset: offset + PAGE }) },
                ]}
              />
            </div>
          )
        }
      </Loaded>
    </>
  )
}
