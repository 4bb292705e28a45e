import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import S3rver from 's3rver'
import { beforeAll, describe, expect, it } from 'vitest'
import { openSink } from '../../../../pipelines/sinks/open-sink.ts'
import type { ReadObject } from '../../../../pipelines/sinks/sink.ts'
import { createSnapshot } from '../../../../pipelines/snapshot/create-snapshot.ts'
import { listSnapshots } from '../../../../pipelines/snapshot/list-snapshots.ts'
import { readManifest } from '../../../../pipelines/snapshot/manifest.ts'
import { publishLatest } from '../../../../pipelines/snapshot/publish-latest.ts'
import { verifySnapshot } from '../../../../pipelines/snapshot/verify-snapshot.ts'
import { databaseClock } from '../../../../src/lib/database-clock.ts'
import { freePort } from '../../../../src/lib/embedded-postgres/free-port.ts'
import { clockAt } from '../../../helpers/clock-at.ts'
import { startS3StandIn } from '../../../helpers/s3-stand-in.ts'
import { warehouseWithRows } from './warehouse.ts'

const PUBLISHER = join(import.meta.dirname, '../../../chaos/publish-snapshot.ts')

// The AWS client requires credentials; the stand-ins do not check them.
beforeAll(() => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' })
})

const problemsOf = (verdicts: { problems: string[] }[]): string[] => verdicts.flatMap(({ problems }) => problems)

describe('a snapshot on S3', () => {
  it('writes, lists and reads a snapshot on S3 through s3rver, including multipart uploads', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'talhouse-s3rver-'))
    const port = await freePort()
    const server = new S3rver({ address: '127.0.0.1', port, silent: true, directory })
    await server.run()
    try {
      const endpoint = `http://127.0.0.1:${port}`
      const s3 = new S3Client({ endpoint, forcePathStyle: true, region: 'us-east-1' })
      await s3.send(new CreateBucketCommand({ Bucket: 'bucket' }))
      await using warehouse = await warehouseWithRows(20)
      const sink = await openSink({ url: 's3://bucket/nightly/warehouse', endpoint })
      const { manifest, isLatest } = await createSnapshot(warehouse, sink, { clock: databaseClock(warehouse.db) })
      expect(isLatest).toBe(true)
      expect(problemsOf(await verifySnapshot(sink, await readManifest(sink)))).toEqual([])
      expect((await listSnapshots(sink)).snapshots.map(({ id }) => id)).toEqual([manifest.id])
      const large = Buffer.alloc(20 * 1024 * 1024, 'talhouse ')
      await sink.write('large', Readable.from([large.subarray(0, 9_000_000), large.subarray(9_000_000)]))
      const read = await sink.read('large')
      expect(Buffer.concat(await (read as ReadObject).body.toArray()).equals(large)).toBe(true)
    } finally {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    }
  })

  it('a snapshot on S3 is never partly visible when its publisher is killed at any request', async () => {
    await using s3 = await startS3StandIn()
    await using warehouse = await warehouseWithRows(20)
    const sink = await openSink({ url: 's3://bucket/warehouse', endpoint: s3.endpoint })
    await createSnapshot(warehouse, sink, { clock: databaseClock(warehouse.db), id: 'before' })
    const steps = s3.requests.length
    expect(steps).toBeGreaterThan(4)
    let published = 0
    // Kills the publisher at the first and last part, at the manifest, and when it reads and writes the pointer. `npm
    // run chaos -- snapshot` covers all requests.
    const whole = process.env['TALHOUSE_TEST_WHOLE'] === 'true'
    for (let step = 1; step <= steps; step += step > 1 && step < steps - 3 && !whole ? steps - 3 - step : 1) {
      const id = `killed-at-${step}`
      const publisher = spawn(process.execPath, [PUBLISHER, warehouse.url, s3.endpoint, id], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      let seen = 0
      s3.fault = () => {
        seen += 1
        if (seen === step) publisher.kill('SIGKILL')
        return undefined
      }
      await once(publisher, 'exit')
      s3.fault = undefined
      const latest = await readManifest(sink)
      if (latest.id === id) published += 1
      expect(problemsOf(await verifySnapshot(sink, latest)), `killed at request ${step}`).toEqual([])
      for (const snapshot of (await listSnapshots(sink)).snapshots)
        expect(problemsOf(await verifySnapshot(sink, await readManifest(sink, snapshot.id)))).toEqual([])
    }
    expect(published).toBeLessThanOrEqual(1) // only a kill during the pointer update may be too late
  })

  it('one of two concurrent publishers publishes its snapshot on S3 while the other retries', async () => {
    await using s3 = await startS3StandIn()
    await using warehouse = await warehouseWithRows(1)
    const sink = await openSink({ url: 's3://bucket/warehouse', endpoint: s3.endpoint })
    const at = (day: string) => ({ clock: clockAt(`${day}T00:00:00Z`), id: day })
    await createSnapshot(warehouse, sink, at('2026-05-01'))
    const middle = await createSnapshot(warehouse, sink, at('2026-05-02'))
    const young = await createSnapshot(warehouse, sink, at('2026-05-03'))
    s3.objects.delete('bucket/warehouse/latest.json')
    // `young` replaces the pointer between the read and the write of `middle`.
    let flips = 0
    s3.fault = (request) => {
      if (request.startsWith('PUT bucket/warehouse/latest.json')) flips += 1
      if (flips === 1) {
        const { id, number, created_at, database } = young.manifest
        const manifest = `_snapshots/run=${id}/manifest.json`
        const latest = { id, number, manifest, wal_position: database.wal_position, created_at }
        s3.objects.set('bucket/warehouse/latest.json', Buffer.from(JSON.stringify(latest)))
      }
      return undefined
    }
    expect(await publishLatest(sink, middle.manifest)).toBe(false)
    expect((await readManifest(sink)).id).toBe('2026-05-03')
  })

  it('aborts old multipart uploads of killed publishers of snapshots', async () => {
    await using s3 = await startS3StandIn()
    const sink = await openSink({ url: 's3://bucket/warehouse', endpoint: s3.endpoint })
    const begin = (id: string, day: string) =>
      s3.uploads.set(id, { path: `bucket/warehouse/${id}`, initiated: new Date(day), parts: new Map() })
    for (const id of ['a', 'c', 'f']) begin(id, '2026-01-01')
    for (const id of ['b', 'd', 'e']) begin(id, '2026-01-03')
    expect(await sink.abandonUnfinished(new Date('2026-01-02'))).toBe(3)
    expect([...s3.uploads.keys()]).toEqual(['b', 'd', 'e'])
  })

  it('reports objects of a snapshot that the bucket failed to delete', async () => {
    await using s3 = await startS3StandIn()
    const sink = await openSink({ url: 's3://bucket/warehouse', endpoint: s3.endpoint })
    for (const key of ['a', 'b']) await sink.create(key, '{}')
    s3.undeletable.add('bucket/warehouse/b')
    await expect(sink.remove(['a', 'b'])).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/warehouse\/b: Access Denied.*s3:DeleteObject/),
    })
    expect([...s3.objects.keys()]).toEqual(['bucket/warehouse/b'])
  })

  it('gives advice when the bucket of a snapshot is missing or denies access', async () => {
    await using s3 = await startS3StandIn()
    const sink = await openSink({ url: 's3://bucket/warehouse', endpoint: s3.endpoint })
    s3.fault = () => 501
    await expect(sink.create('x', '{}')).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining('S3 bucket bucket'),
    })
  })

  it('rejects an unsupported URL of a snapshot destination', async () => {
    await expect(openSink({ url: 'ftp://somewhere' })).rejects.toMatchObject({ code: 'configuration' })
  })
})
