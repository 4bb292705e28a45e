import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import type { Company as CompanyRecord } from '../../../src/contract/companies.ts'
import type { TalEntry, TalPage } from '../../../src/contract/tal.ts'
import { withQuery } from '../../lib/http.ts'
import { may } from '../../lib/session.ts'
import { useQuery } from '../../lib/use-query.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Empty } from '../../ui/feedback.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TaskProgress } from '../../ui/task-progress.tsx'
import { Outside, OutsideLink, Time } from '../../ui/text.tsx'
import { LIST } from '../accounts/list.ts'
import { EnrichCompany } from './enrich-company.tsx'
import { FormAdv } from './form-adv.tsx'
import { History } from './history.tsx'
import { ListEntry, ListMembership } from './list-entry.tsx'
import { People } from './people.tsx'
import { RecordTable } from './record-table.tsx'
import { Signals } from './signals.tsx'
import { Sources } from './sources.tsx'

const TABS = [
  ['', 'Record'],
  ['people', 'People'],
  ['signals', 'Signals'],
  ['formadv', 'Form ADV'],
  ['history', 'History'],
] as const

/** One company: every value with its source, and the company's people, signals, filings and history. */
export function Company() {
  const domain = useRoute().params['domain'] ?? ''
  const { query } = useQuery()
  const [task, setTask] = useState<string>()
  const address = `/v2/companies/${encodeURIComponent(domain)}`
  const company = useResource<CompanyRecord>(`${address}?include=all&include_provenance=true`)
  const tab = query['tab'] ?? ''
  // The History tab requests events instead of the list entry, to limit the number of requests.
  const showsEntry = may('lists') && tab !== 'history'
  const entry = useResource<TalPage>(showsEntry ? withQuery(LIST, { domain, limit: 1 }) : undefined)
  const [listed] = entry.data?.companies ?? []
  return (
    <Page
      name={company.data?.name ?? domain}
      crumbs={<a href="/console/accounts">Target accounts</a>}
      title={<Outside max={120}>{company.data?.name ?? domain}</Outside>}
      lead={company.data && <Summary company={company.data} />}
      actions={
        <>
          {may('enrich') && <EnrichCompany domain={domain} onSubmitted={setTask} />}
          {entry.data && <ListMembership domain={domain} entry={listed} onChanged={entry.reload} />}
        </>
      }
    >
      {task && <TaskProgress id={task} onEnded={company.reload} onClose={() => setTask(undefined)} />}
      {company.error?.status === 404 ? (
        <Empty title="Not enriched yet">
          This company has no record.
          {may('enrich')
            ? ' Choose “Enrich” to see the price and look up its data.'
            : ' Enriching it needs the scope “enrich”.'}
        </Empty>
      ) : (
        <>
          <Tabs
            label="Parts of the record"
            path={`/console/companies/${encodeURIComponent(domain)}`}
            tabs={TABS.map(([value, label]) => ({
              value,
              label: (
                <>
                  {label}
                  <Count company={company.data} tab={value} />
                </>
              ),
            }))}
            current={tab}
          />
          <Loaded resource={company} lines={12}>
            {(record) => <Tab tab={tab} company={record} address={address} entry={listed} />}
          </Loaded>
        </>
      )}
    </Page>
  )
}

function Summary({ company }: { company: CompanyRecord }) {
  const place = [company.headquarters_city, company.headquarters_state, company.headquarters_country]
  return (
    <span class="row wrap">
      <OutsideLink url={`https://${company.domain}`} />
      {company.industry && <Outside max={60}>{company.industry}</Outside>}
      {place.some(Boolean) && <Outside max={80}>{place.filter(Boolean).join(', ')}</Outside>}
      <span>
        {company.enriched_at ? (
          <>
            enriched <Time iso={company.enriched_at} />
          </>
        ) : (
          'never enriched'
        )}
      </span>
    </span>
  )
}

function Count({ company, tab }: { company: CompanyRecord | undefined; tab: string }) {
  const list = tab === 'people' ? company?.leadership : tab === 'signals' ? company?.signals : undefined
  return list ? <span class="muted"> {list.length}</span> : null
}

function Tab({
  tab,
  company,
  address,
  entry,
}: {
  tab: string
  company: CompanyRecord
  address: string
  entry: TalEntry | undefined
}) {
  if (tab === 'people') return <People people={company.leadership ?? []} searchedAt={company.leadership_enriched_at} />
  if (tab === 'signals') return <Signals signals={company.signals ?? []} searchedAt={company.signals_enriched_at} />
  if (tab === 'formadv') return <FormAdv filing={company.formadv ?? null} />
  if (tab === 'history') return <History company={company} address={address} />
  return (
    <>
      <RecordTable company={company} provenance={company.provenance ?? {}} />
      {entry && <ListEntry entry={entry} />}
      <Sources sources={company.sources ?? []} />
    </>
  )
}
