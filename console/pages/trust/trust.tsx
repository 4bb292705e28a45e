import { may, mayReadWarehouse } from '../../lib/session.ts'
import { useQuery } from '../../lib/use-query.ts'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AuditLog } from './audit-log.tsx'
import { Checks } from './checks.tsx'
import { Comparisons } from './comparisons.tsx'
import { Quarantine } from './quarantine.tsx'
import { Snapshots } from './snapshots.tsx'

const TABS = [
  { value: '', label: 'Comparisons', Content: Comparisons, isShown: mayReadWarehouse },
  { value: 'checks', label: 'Checks', Content: Checks, isShown: mayReadWarehouse },
  { value: 'quarantine', label: 'Rejected records', Content: Quarantine, isShown: mayReadWarehouse },
  { value: 'snapshots', label: 'Snapshots', Content: Snapshots, isShown: mayReadWarehouse },
  { value: 'audit', label: 'Audit log', Content: AuditLog, isShown: () => may('admin') },
] as const

/**
 * Shows whether the data is reliable: comparisons with the service, invariants, rejected records, exports and changes.
 */
export function Trust() {
  const { query } = useQuery()
  const shown = TABS.filter(({ isShown }) => isShown())
  const { value: current, Content } = shown.find(({ value }) => value === (query['tab'] ?? '')) ?? shown[0] ?? TABS[0]
  return (
    <Page
      name="Trust"
      title="Trust"
      lead="Comparisons with the service, checks of the warehouse's rules, rejected records, exports and changes."
    >
      <Tabs label="Parts of the page" path="/console/trust" tabs={shown} current={current} />
      <Content />
    </Page>
  )
}
