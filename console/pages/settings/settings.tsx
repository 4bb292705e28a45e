import { useState } from 'preact/hooks'
import type { SettingList } from '../../../src/contract/settings.ts'
import type { WarehouseOverview } from '../../../src/contract/warehouse.ts'
import { formatDateTime, printable } from '../../lib/format.ts'
import { may, mayReadWarehouse } from '../../lib/session.ts'
import { useQuery } from '../../lib/use-query.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Badge } from '../../ui/feedback.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { TableCard, TableFrame, wide } from '../../ui/table-frame.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Copy, Time } from '../../ui/text.tsx'
import { NightBudget } from './budget.tsx'
import { Clients } from './clients.tsx'

const TABS = [
  { value: '', label: 'Clients', Content: Clients, isShown: () => may('clients') },
  { value: 'nights', label: 'Nightly runs', Content: Nights, isShown: mayReadWarehouse },
  { value: 'effective', label: 'Effective settings', Content: EffectiveSettings, isShown: () => may('admin') },
] as const

/** The clients, the nightly budget, the next nightly runs, and the effective settings with their source. */
export function Settings() {
  const { query } = useQuery()
  const shown = TABS.filter(({ isShown }) => isShown())
  const current = shown.find(({ value }) => value === query['tab']) ?? shown[0]
  return (
    <Page
      name="Settings"
      title="Settings"
      lead="The clients, the budget and the schedule of this installation, and the settings of the service."
    >
      <Tabs label="Parts of the page" path="/console/settings" tabs={shown} current={current?.value} />
      {current && <current.Content />}
    </Page>
  )
}

function Nights() {
  return (
    <>
      <NightBudget />
      <Schedule />
    </>
  )
}

function EffectiveSettings() {
  const list = useResource<SettingList>('/v2/settings')
  const [text, setText] = useState('')
  return (
    <>
      <p class="muted">Change these settings in the settings file or the environment, and restart.</p>
      <div>
        <div class="toolbar no-print">
          <input
            type="search"
            class="input search"
            data-search
            aria-label="Search settings"
            placeholder="Search settings (press /)"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </div>
        <Loaded resource={list} lines={12}>
          {({ settings }) => (
            <TableFrame label="Settings" columns={['Setting and variable', wide('Value'), 'Source']}>
              <tbody>
                {settings
                  .filter(({ name }) => name.includes(text.trim().toLowerCase()))
                  .map(({ name, value, source, variable }) => (
                    <tr key={name}>
                      <th scope="row">
                        {name}
                        <div class="variable">
                          <code>{variable}</code> <Copy text={variable} label={`Copy ${variable}`} />
                        </div>
                      </th>
                      <td class="value">
                        {value === null ? (
                          <span class="muted">{source === 'environment' ? 'set, not shown' : 'not set'}</span>
                        ) : (
                          <code>{shown(value)}</code>
                        )}
                      </td>
                      <td>
                        <Badge tone={source === 'default' ? 'idle' : 'live'}>{source}</Badge>
                      </td>
                    </tr>
                  ))}
              </tbody>
            </TableFrame>
          )}
        </Loaded>
      </div>
    </>
  )
}

const shown = (value: unknown): string =>
  value === '' ? '(empty)' : printable(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 300)

const HOUR = 3_600_000

/**
 * The scheduled times of the next nightly runs. An interval other than 24 hours indicates a change to or from daylight
 * saving time.
 */
function Schedule() {
  const overview = useResource<WarehouseOverview>('/v2/warehouse/overview')
  return (
    <Loaded resource={overview} lines={4}>
      {({ schedule: { cron, time_zone, pipelines, next } }) => (
        <TableCard
          title="Schedule"
          aside={
            <span class="muted">
              <code>{cron}</code> in {time_zone}: {pipelines.join(', ')}
            </span>
          }
          label="Next nightly runs"
          columns={['Local time', 'UTC', 'From now', 'Since the previous']}
        >
          {next.map((iso, index) => {
            const hours = index === 0 ? undefined : (Date.parse(iso) - Date.parse(next[index - 1] as string)) / HOUR
            return (
              <tr key={iso}>
                <td class="nowrap">{formatDateTime(iso, time_zone)}</td>
                <td class="nowrap">{iso.slice(0, 16).replace('T', ' ')}</td>
                <td>
                  <Time iso={iso} />
                </td>
                <td>
                  {hours === undefined ? '–' : `${hours} h`}{' '}
                  {(hours === 23 || hours === 25) && <Badge tone="warn">Daylight saving time changes</Badge>}
                </td>
              </tr>
            )
          })}
        </TableCard>
      )}
    </Loaded>
  )
}
