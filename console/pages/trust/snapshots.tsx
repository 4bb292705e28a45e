import { useState } from 'preact/hooks'
import type { SnapshotList, SnapshotManifest } from '../../../src/contract/warehouse-trust.ts'
import { formatNumber, plural } from '../../lib/format.ts'
import { useResource } from '../../lib/use-resource.ts'
import { Badge, Empty, Notice } from '../../ui/feedback.tsx'
import { Card, Loaded } from '../../ui/page.tsx'
import { num, TableCard, TableFrame, wide } from '../../ui/table-frame.tsx'
import { Copy, Outside, Time } from '../../ui/text.tsx'

/**
 * The warehouse's snapshots, the manifest of the selected snapshot, and its row counts compared with another snapshot.
 */
export function Snapshots() {
  const list = useResource<SnapshotList>('/v2/warehouse/snapshots')
  const [shown, setShown] = useState<string>()
  return (
    <Loaded resource={list}>
      {({ snapshots, damaged }) => {
        const current = shown ?? snapshots[0]?.id
        const earlier = snapshots[snapshots.findIndex(({ id }) => id === current) + 1]?.id
        return snapshots.length === 0 ? (
          <Empty title="No snapshots yet">
            The last step of a night exports all tables. <code>talhouse snapshot create</code> exports them now.
          </Empty>
        ) : (
          <>
            {damaged.length > 0 && (
              <Notice tone="warn">Damaged manifests: {damaged.join(', ')}. Their files were kept.</Notice>
            )}
            <TableCard
              title="Snapshots"
              label="Snapshots"
              columns={['Snapshot', 'Created', num('Tables'), num('Rows'), num('Size')]}
            >
              {snapshots.map(({ id, created_at, tables, rows, bytes, latest }) => (
                <tr key={id}>
                  <th scope="row">
                    <button type="button" class="link" aria-pressed={id === current} onClick={() => setShown(id)}>
                      <code>{id}</code>
                    </button>{' '}
                    {latest && <Badge tone="good">Latest</Badge>}
                  </th>
                  <td>
                    <Time iso={created_at} />
                  </td>
                  <td class="num">{tables}</td>
                  <td class="num">{formatNumber(rows)}</td>
                  <td class="num">{formatSize(bytes)}</td>
                </tr>
              ))}
            </TableCard>
            {current !== undefined && <Manifest id={current} earlier={earlier} ids={snapshots.map(({ id }) => id)} />}
          </>
        )
      }}
    </Loaded>
  )
}

const formatSize = (bytes: number): string =>
  bytes < 1e6 ? `${formatNumber(Math.ceil(bytes / 1e3))} kB` : `${formatNumber(Math.ceil(bytes / 1e6))} MB`

const path = (id: string | undefined): string | undefined => id && `/v2/warehouse/snapshots/${id}`

function Manifest({ id, earlier, ids }: { id: string; earlier: string | undefined; ids: readonly string[] }) {
  const [chosen, setChosen] = useState<string>()
  const base = chosen && chosen !== id ? chosen : (earlier ?? ids.find((other) => other !== id))
  const manifest = useResource<SnapshotManifest>(path(id))
  const before = useResource<SnapshotManifest>(path(base))
  return (
    <Card
      title="Manifest"
      aside={
        ids.length > 1 && (
          <label class="row no-print">
            <span class="muted">Compare with</span>
            <select class="input" value={base ?? ''} onChange={(event) => setChosen(event.currentTarget.value)}>
              {ids
                .filter((other) => other !== id)
                .map((other) => (
                  <option key={other}>{other}</option>
                ))}
            </select>
          </label>
        )
      }
      flush
    >
      <Loaded resource={manifest}>
        {({ tables }) => (
          <>
            <TableFrame
              label="Manifest"
              columns={['Table', num('Rows'), num('Compared rows'), num('Change'), wide('Files')]}
            >
              <tbody>
                {tables.map(({ name, rows, parts, columns, primary_key }) => {
                  const old = before.data?.tables.find((table) => table.name === name)?.rows
                  return (
                    <tr key={name}>
                      <th scope="row">
                        <code>{name}</code>
                      </th>
                      <td class="num">{formatNumber(rows)}</td>
                      <td class="num">{old === undefined ? '–' : formatNumber(old)}</td>
                      <td class="num">{old === undefined || old === rows ? '–' : signed(rows - old)}</td>
                      <td>
                        <details>
                          <summary>
                            {plural(parts.length, 'file')}, {plural(columns.length, 'column')}
                          </summary>
                          <p class="muted">Key: {primary_key.join(', ') || 'none'}</p>
                          <p class="muted">{columns.map((column) => `${column.name} ${column.type}`).join(', ')}</p>
                          {parts.map(({ key, bytes, sha256 }) => (
                            <p key={key}>
                              <Outside max={200}>{key}</Outside> {formatSize(bytes)}{' '}
                              <Copy text={sha256} label={`Copy the checksum of ${key}`}>
                                Copy SHA-256
                              </Copy>
                            </p>
                          ))}
                        </details>
                      </td>
                    </tr>
                  )
                })}
              </tbody>
            </TableFrame>
            {base && (
              <p class="card-body muted">
                Row by row:{' '}
                <code>
                  talhouse snapshot diff {base} {id}
                </code>{' '}
                <Copy text={`talhouse snapshot diff ${base} ${id}`} label="Copy the command" />
              </p>
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}

const signed = (difference: number): string => `${difference > 0 ? '+' : '−'}${formatNumber(Math.abs(difference))}`
