import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../../src/http/app.ts'
import { listen } from '../../../src/http/listen.ts'
import { startService } from '../../helpers/service.ts'
import type { TcpProxy } from '../../helpers/tcp-proxy.ts'
import { startTcpProxy } from '../../helpers/tcp-proxy.ts'

describe('the service', () => {
  it('the service responds 503 while its database is down and recovers without a restart', async () => {
    await using stack = new AsyncDisposableStack()
    let proxy: TcpProxy | undefined
    const throughProxy = async (databaseUrl: string) => {
      const address = new URL(databaseUrl)
      proxy = stack.use(await startTcpProxy({ host: address.hostname, port: Number(address.port) }))
      address.port = String(proxy.port)
      return address.href
    }
    await using service = await startService({ throughProxy })
    const ready = () => service.call('GET', '/health/ready')

    expect((await ready()).status).toBe(200)
    await proxy?.cut()
    const away = await ready()
    expect(away.status).toBe(503)
    expect(away.headers.get('retry-after')).toBe('5')
    expect(away.body).toMatchObject({ code: 'unavailable', detail: 'The database is unavailable.' })
    expect((await service.call('GET', '/health/live')).status).toBe(200)
    await proxy?.restore()
    expect((await ready()).status).toBe(200)
  })

  it('the service finishes requests in progress on shutdown and accepts no new ones', async () => {
    let arrived = () => {}
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const service = await startService({
      routes: (app) => {
        app.get('/slow', { schema: { hide: true } }, async () => {
          arrived()
          await wait(300)
          return { done: true }
        })
      },
    })
    const slow = service.call('GET', '/slow')
    await arrival
    const stopped = service[Symbol.asyncDispose]()
    expect(await slow).toMatchObject({ status: 200, body: { done: true } })
    await stopped
    await expect(fetch(`${service.url}/health/live`)).rejects.toThrow()
  })

  it('the service reports which port is in use and how to change it', async () => {
    await using service = await startService()
    const app = await createApp(service.deps)
    const port = Number(new URL(service.url).port)
    await expect(listen(app, { host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('TALHOUSE_HTTP_PORT'),
    })
  })

  it('the service returns the client’s X-Request-Id or generates one', async () => {
    await using service = await startService()
    const own = await service.call('GET', '/health/live', { headers: { 'x-request-id': 'night-2026-11-21' } })
    expect(own.headers.get('x-request-id')).toBe('night-2026-11-21')
    for (const unfit of ['short', 'a'.repeat(129), 'with spaces in it'])
      expect(
        (await service.call('GET', '/nothing', { headers: { 'x-request-id': unfit } })).body['request_id'],
      ).toMatch(/^[\da-f-]{36}$/)
  })

  it('the service exposes metrics by route pattern, without queries', async () => {
    await using service = await startService()
    await service.call('GET', '/v2/nothing?query=jane%20doe')
    const metrics = await service.call<string>('GET', '/metrics')
    expect(metrics.body).toMatch(
      /talhouse_http_request_duration_seconds_count\{method="any",route="none",status="404"\} 1/,
    )
    expect(metrics.body).not.toContain('jane')
  })
})
