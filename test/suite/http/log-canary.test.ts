import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { createLogger } from '../../../src/lib/logger.ts'
import { sendRaw } from '../../helpers/raw-http.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

it('logs no keys, email addresses or search terms', async () => {
  let written = ''
  const sink = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk)
      done()
    },
  })
  await using service: TestService = await startService({
    log: createLogger('debug', sink),
    routes: (app) => {
      app.post('/probe', { schema: { hide: true, body: Type.Object({ name: Type.String() }) } }, () => {
        throw new Error('a failure that nobody foresaw')
      })
      app.get('/cast', { schema: { hide: true } }, ({ query }) => {
        const { text } = query as { text: string }
        return sql`select ${text}::text::int`.execute(service.db)
      })
    },
  })
  const canary = 'canary.person@firm.example'
  const { key } = service
  await service.call('GET', `/cast?text=${canary}`)
  await service.call('GET', `/v2/persons?query=${canary}`)
  await service.call('GET', `/v2/nothing/${canary}`)
  await service.call('GET', `/v2/%zz${canary}`)
  await service.call('GET', '/openapi.json', { headers: { cookie: canary, authorization: canary } })
  await service.call('POST', '/probe', { body: { name: canary } })
  await service.call('POST', '/probe', { body: { [canary]: 1 } })
  await service.call('POST', '/probe', { body: `{"${canary}` })
  await sendRaw(service.url, `NONSENSE ${canary}\r\nX-Api-Key: ${key}\r\n\r\n`)

  expect(written.split('\n').length).toBeGreaterThan(7)
  expect(written).toContain('a failure that nobody foresaw')
  expect(written).toContain('22P02')
  expect(written).not.toContain('canary.person')
  expect(written).not.toContain(key)
})
