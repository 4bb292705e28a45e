import { Agent, get } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { EventStreams } from '../../../src/http/event-stream.ts'
import { startService } from '../../helpers/service.ts'

it('an event stream leaves no listener on a connection that serves later requests', async () => {
  const listeners: number[] = []
  await using service = await startService({
    routes: (app) => {
      const streams = new EventStreams(app)
      const watched = {
        ones: async function* () {
          yield 1
        },
      }
      const refuse = () => Promise.reject(new Error('the session has ended'))
      app.get('/stream', { schema: { hide: true } }, async ({ raw: { socket } }, reply) => {
        listeners.push(socket.listenerCount('close'))
        return await reply.type('text/event-stream').send(Readable.from(streams.send(reply, watched, refuse)) as never)
      })
    },
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let request = 0; request < 3; request += 1)
    await new Promise((resolve, reject) => {
      get(`${service.url}/stream`, { agent }, (response) => void text(response).then(resolve, reject))
    })
  agent.destroy()
  expect(new Set(listeners).size).toBe(1)
  expect(listeners).toHaveLength(3)
})
