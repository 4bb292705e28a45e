import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../../../src/lib/errors.ts'
import { silentLog } from '../../../src/lib/logger.ts'
import type { Postgres } from '../../../src/lib/postgres.ts'
import { openPostgres } from '../../../src/lib/postgres.ts'
import { Replica } from '../../../src/lib/replica.ts'
import { testDatabase } from '../../helpers/database.ts'
import { eventually } from '../../helpers/eventually.ts'
import type { ReplicatedServer } from '../../helpers/replicated-server.ts'
import { startReplicatedServer } from '../../helpers/replicated-server.ts'
import { startTcpProxy } from '../../helpers/tcp-proxy.ts'

const pools = { log: silentLog, name: 'test', connections: 4 }
const options = { maxLagSeconds: 60, timeout: 5_000, log: silentLog }

const write = ({ pool }: Postgres<unknown>) => pool.query('insert into item select count(*) + 1 from item')
const count = async ({ pool }: Pick<Postgres<unknown>, 'pool'>): Promise<number> =>
  Number((await pool.query('select count(*) as items from item')).rows[0].items)

describe('a read that may be stale', () => {
  let servers: ReplicatedServer
  let primary: Postgres<unknown>
  let standby: Postgres<unknown>

  beforeAll(async () => {
    servers = await startReplicatedServer()
    primary = openPostgres(servers.primaryUrl, pools)
    standby = openPostgres(servers.replicaUrl, pools)
    await primary.pool.query('create table item (id integer)')
    const exists = "select to_regclass('item') is not null as found"
    await eventually(
      'the replica has the table',
      async () => (await standby.pool.query<{ found: boolean }>(exists)).rows[0]?.found,
    )
  })
  afterAll(async () => {
    await primary[Symbol.asyncDispose]()
    await standby[Symbol.asyncDispose]()
    await servers[Symbol.asyncDispose]()
  })
  const resume = async () => void (await standby.pool.query('select pg_wal_replay_resume()'))

  beforeEach(() =>
    eventually('the replica has the same rows', async () => (await count(standby)) === (await count(primary))),
  )

  it('a read that may be stale runs on a replica that has replayed a recent position of the primary', async () => {
    const replica = new Replica(primary, standby, options)
    await replica.check()
    await standby.pool.query('select pg_wal_replay_pause()')
    await using _resumed = { [Symbol.asyncDispose]: () => resume() }
    const before = await count(primary)
    await write(primary)
    await replica.check()
    expect(await replica.read(count)).toBe(before)
  })

  it('a read that may be stale runs on the primary until the replica has been compared with it', async () => {
    const replica = new Replica(primary, standby, options)
    const used: unknown[] = []
    await replica.read(async (postgres) => used.push(postgres))
    await eventually('the replica is used', async () => (await replica.read(async (postgres) => postgres)) === standby)
    expect(used).toEqual([primary])
  })

  it('a read that may be stale runs on the primary while the data of the replica is too old', async () => {
    const replica = new Replica(primary, standby, { ...options, maxLagSeconds: 0.2 })
    await standby.pool.query('select pg_wal_replay_pause()')
    await write(primary)
    await replica.check()
    expect(await replica.read(async (postgres) => postgres)).toBe(primary)
    await resume()
    await eventually('the replica is used', async () => {
      await replica.check()
      return (await replica.read(async (postgres) => postgres)) === standby
    })
  })

  it('a read that may be stale runs on the replica while the primary is written to without a pause', async () => {
    const replica = new Replica(primary, standby, { ...options, maxLagSeconds: 2 })
    let isWriting = true
    const writer = (async () => {
      while (isWriting) await write(primary)
    })()
    try {
      await eventually('the replica is used', async () => {
        await replica.check()
        return (await replica.read(async (postgres) => postgres)) === standby
      })
    } finally {
      isWriting = false
      await writer
    }
  })

  it('a read that fails on the replica is repeated on the primary, which then serves all reads', async () => {
    const broken = openPostgres(servers.replicaUrl, pools)
    const replica = new Replica(primary, broken, options)
    await replica.check()
    await broken[Symbol.asyncDispose]()
    expect(await replica.read(count)).toBe(await count(primary))
    expect(await replica.read(async (postgres) => postgres)).toBe(primary)
  })

  it('a read without a response from the replica is repeated on the primary', async () => {
    const replica = new Replica(primary, standby, { ...options, timeout: 100 })
    await replica.check()
    const stuck = Promise.withResolvers<number>()
    const read = replica.read((postgres) => (postgres === standby ? stuck.promise : count(postgres)))
    expect(await read).toBe(await count(primary))
    stuck.resolve(0)
  })

  it('a read whose filters are refused on the replica is not repeated', async () => {
    const replica = new Replica(primary, standby, options)
    await replica.check()
    const used: unknown[] = []
    const read = replica.read(async (postgres) => {
      used.push(postgres)
      throw new AppError('unprocessable', 'Too many filters.')
    })
    await expect(read).rejects.toThrow('Too many filters.')
    expect(used).toEqual([standby])
  })

  it('a server of another cluster is not used as a replica', async () => {
    await using other = await testDatabase('service')
    const replica = new Replica(primary, other, options)
    await replica.check()
    expect(await replica.read(async (postgres) => postgres)).toBe(primary)
  })

  it('reads do not wait for a replica that cannot be reached', async () => {
    const { hostname, port } = new URL(servers.replicaUrl)
    await using proxy = await startTcpProxy({ host: hostname, port: Number(port) })
    const url = new URL(servers.replicaUrl)
    url.port = String(proxy.port)
    await using distant = openPostgres(url.href, pools)
    const replica = new Replica(primary, distant, options)
    await replica.check()
    await proxy.cut()
    expect(await replica.read(count)).toBe(await count(primary))
    await proxy.restore()
    await eventually('the replica is used', async () => {
      await replica.check()
      return (await replica.read(async (postgres) => postgres)) === distant
    })
  })
})
