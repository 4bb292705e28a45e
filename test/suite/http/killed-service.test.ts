import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { createApiKey } from '../../../src/auth/api-keys.ts'
import type { ServiceTables } from '../../../src/db/database.ts'
import { reconcileUnits } from '../../../src/units/reconcile.ts'
import { startServeProcess } from '../../chaos/serve-process.ts'
import { givenClient } from '../../helpers/clients.ts'
import { testDatabase } from '../../helpers/database.ts'
import { eventually } from '../../helpers/eventually.ts'

it('replays the response of a submission committed before the service was killed, and charges once', async () => {
  await using database = await testDatabase<ServiceTables>('service')
  const { db, url } = database
  const clientId = await givenClient(db, { units: 10 })
  const { key } = await createApiKey(db, clientId)
  const body = JSON.stringify({ domain: 'killed.example' })
  const headers = { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': 'once' }
  const tasks = () => db.selectFrom('task').select(['task_id', 'units_charged']).execute()
  {
    await using victim = await startServeProcess(url)
    const { hostname, port } = new URL(victim.url)
    // The response is not read, so it is lost with the process.
    const socket = connect(Number(port), hostname).on('error', () => undefined)
    await once(socket, 'connect')
    const lines = Object.entries({ host: hostname, ...headers, 'content-length': body.length })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    socket.write(`POST /v2/enrich/company HTTP/1.1\r\n${head}\r\n${body}`)
    await eventually('the task is committed', async () => (await tasks()).length === 1)
    await victim.kill()
    socket.destroy()
  }
  await using heir = await startServeProcess(url)
  const send = async (text: string) => {
    const reply = await fetch(`${heir.url}/v2/enrich/company`, { method: 'POST', headers, body: text })
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
  }
  const [task] = await tasks()
  const replayed = await send(body)
  expect(replayed).toMatchObject({
    status: 200,
    body: { task_id: task?.task_id, status: 'queued', units_charged: 1, units_remaining: 9 },
  })
  expect(await send(body)).toEqual(replayed)
  expect((await send(JSON.stringify({ domain: 'other.example' }))).status).toBe(422)
  expect(await tasks()).toEqual([task])
  expect(await reconcileUnits(db)).toMatchObject({ discrepancies: [] })
})
