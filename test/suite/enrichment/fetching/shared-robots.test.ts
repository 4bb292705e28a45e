import { expect, it } from 'vitest'
import type { ServiceTables } from '../../../../src/db/database.ts'
import { createFetcher } from '../../../../src/enrichment/fetching/fetcher.ts'
import { createSharedRobots, pruneRobots } from '../../../../src/enrichment/fetching/shared-robots.ts'
import { silentLog } from '../../../../src/lib/logger.ts'
import { testDatabase } from '../../../helpers/database.ts'
import { fetchingSettings, serveWeb } from '../../../helpers/web-server.ts'

it('fetches robots.txt once for all processes, and again after a day', async () => {
  await using service = await testDatabase<ServiceTables>('service')
  const asked: string[] = []
  await using server = await serveWeb((request, reply) => {
    if (request.url !== '/robots.txt') return void reply.end('page')
    asked.push(request.headers.host ?? '')
    if (request.headers.host === 'none.example') reply.writeHead(404).end()
    else if (request.headers.host === 'down.example') reply.writeHead(503).end()
    else reply.end('User-agent: *\nDisallow: /private\0')
  })
  const outcomes = async (): Promise<string[]> => {
    const settings = fetchingSettings({ connect_to: [server.connectTo] })
    await using fetcher = createFetcher(settings, { robots: createSharedRobots(service.db, silentLog) })
    const { signal } = new AbortController()
    const pages = ['acme.example/', 'acme.example/private/x', 'none.example/private', 'down.example/']
    return await Promise.all(pages.map(async (page) => (await fetcher.get(`http://${page}`, { signal })).outcome))
  }
  expect(await outcomes()).toEqual(['page', 'refused', 'page', 'unavailable'])
  expect(await outcomes()).toEqual(['page', 'refused', 'page', 'unavailable'])
  // Failures are not shared.
  expect(asked.toSorted()).toEqual(['acme.example', 'down.example', 'down.example', 'none.example'])

  await service.db.updateTable('robots_file').set({ expires_at: '2026-01-01T00:00:00Z' }).execute()
  expect(await outcomes()).toEqual(['page', 'refused', 'page', 'unavailable'])
  expect(asked.filter((host) => host === 'acme.example')).toHaveLength(2)
  await service.db.updateTable('robots_file').set({ expires_at: '2026-01-01T00:00:00Z' }).execute()
  expect(await pruneRobots(service.db)).toBe(2)
})
