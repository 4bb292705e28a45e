import type { FirmSummary } from '../../../src/contract/firms.ts'
import { formatMoney, plural } from '../../lib/format.ts'
import { BarList } from '../../ui/bar-list.tsx'
import { Card } from '../../ui/page.tsx'

const STATES = 12

/** Assets by state, and the distribution of firms by assets. */
export function Summary({ summary, onState }: { summary: FirmSummary; onState: (state: string) => void }) {
  const rest = summary.by_state.slice(STATES)
  return (
    <div class="grid">
      <Card
        title="Assets by state"
        aside={rest.length > 0 && <span class="muted">{plural(rest.length, 'more state')}</span>}
      >
        <BarList
          label="Assets by state"
          columns={['State', 'Assets', 'Firms']}
          rows={summary.by_state.slice(0, STATES).map(({ state, firms, aum_total_usd }) => ({
            name: state ?? 'None',
            value: aum_total_usd,
            text: formatMoney(aum_total_usd),
            note: plural(firms, 'firm'),
            ...(state && { onClick: () => onState(state) }),
          }))}
        />
      </Card>
      <Card title="Firms by assets">
        <BarList
          label="Firms by assets"
          columns={['Assets', 'Firms', 'Sum']}
          rows={summary.by_assets.map(({ from_usd, to_usd, firms, aum_total_usd }) => ({
            name: nameOf(from_usd, to_usd),
            value: firms,
            text: plural(firms, 'firm'),
            note: formatMoney(aum_total_usd),
          }))}
        />
      </Card>
    </div>
  )
}

function nameOf(from: number | null, to: number | null): string {
  if (from === null) return 'Not filed'
  return to === null ? `${formatMoney(from)} or more` : `${formatMoney(from)} to ${formatMoney(to)}`
}
