import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { Classification } from '../../../../src/enrichment/signals/classify/classify.ts'
import { findSignalsWithSecondOpinion } from '../../../../src/enrichment/signals/find-signals.ts'
import { createSecondOpinion } from '../../../../src/enrichment/signals/second-opinion.ts'
import { silentLog } from '../../../../src/lib/logger.ts'

async function withJudge<T>(listener: RequestListener, run: (baseUrl: string) => Promise<T>): Promise<T> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const says =
  (content: string): RequestListener =>
  (_, reply) =>
    void reply
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ choices: [{ message: { content } }] }))
const settings = (base_url: string) => ({ base_url, model: 'any', timeout_seconds: 0.5, max_stories: 10 })
const story = {
  url: 'https://a.example/1',
  headline: 'Quillmark and Harrow Peak',
  lead: 'They met.',
  date: '2026-11-03',
}
const unsure: Classification = { type: 'none', likeliest: 'Partnership', confidence: 0.5 }
const signal = AbortSignal.timeout(20_000)
const judge = (baseUrl: string, first = unsure) =>
  createSecondOpinion(settings(baseUrl), { apiKey: 'secret-of-the-test', log: silentLog }).judge(
    [{ story, first }],
    signal,
  )

test('sends headline, lead and key to the second opinion, and raises the confidence on agreement', async () => {
  let asked: { authorization?: string | undefined; url?: string | undefined; body: string } = { body: '' }
  const listener: RequestListener = async (incoming, reply) => {
    let body = ''
    for await (const chunk of incoming) body += String(chunk)
    asked = { authorization: incoming.headers.authorization, url: incoming.url, body }
    says('Partnership')(incoming, reply)
  }
  await withJudge(listener, async (baseUrl) => {
    expect(await judge(baseUrl)).toEqual([{ type: 'Partnership', likeliest: 'Partnership', confidence: 0.85 }])
  })
  expect(asked).toMatchObject({ authorization: 'Bearer secret-of-the-test', url: '/v1/chat/completions' })
  expect(asked.body).toContain('Quillmark and Harrow Peak\\nThey met.')
})

test('replaces the type by the second opinion, even with `none`, and lowers the confidence on disagreement', async () => {
  await withJudge(says('Funding.'), async (baseUrl) => {
    expect(await judge(baseUrl)).toMatchObject([{ type: 'Funding', confidence: 0.7 }])
  })
  await withJudge(says('none'), async (baseUrl) => expect(await judge(baseUrl)).toMatchObject([{ type: 'none' }]))
})

test('requests no second opinion if the classification is certain', async () => {
  let calls = 0
  const listener: RequestListener = (incoming, reply) => {
    calls += 1
    says('none')(incoming, reply)
  }
  const sure: Classification = { type: 'Award', likeliest: 'Award', confidence: 0.97 }
  await withJudge(listener, async (baseUrl) => expect(await judge(baseUrl, sure)).toEqual([sure]))
  expect(calls).toBe(0)
})

test.each<[string, RequestListener]>([
  ['is down', (_, reply) => void reply.writeHead(500).end()],
  ['refuses', (_, reply) => void reply.writeHead(401).end()],
  ['talks nonsense', (_, reply) => void reply.end('not json')],
  ['names several types', says('Funding or Award')],
  ['never answers', () => {}],
  ['redirects', (_, reply) => void reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
])('a second opinion from a service that %s changes no signal and delays no task', async (_, listener) => {
  await withJudge(listener, async (baseUrl) => {
    expect(await judge(baseUrl)).toEqual([unsure])
  })
})

test('stops reading an endless second opinion after 256 KiB, before the timeout', async () => {
  let sent = 0
  const endless: RequestListener = (_, reply) => {
    const more = () => {
      while (!reply.destroyed && reply.write(' '.repeat(65_536))) sent += 65_536
      reply.once('drain', more)
    }
    reply.writeHead(200, { 'content-type': 'application/json' })
    more()
  }
  await withJudge(endless, async (baseUrl) => {
    const patient = createSecondOpinion({ ...settings(baseUrl), timeout_seconds: 30 }, { log: silentLog })
    expect(await patient.judge([{ story, first: unsure }], signal)).toEqual([unsure])
  })
  expect(sent).toBeLessThan(32 * 1024 * 1024)
})

test('returns signals with the confidence of both opinions', async () => {
  const company = { domain: 'quillmark.example', names: ['Quillmark'] }
  const vague = { ...story, headline: 'Quillmark and Harrow Peak sign', lead: null }
  const options = {
    company,
    source: 'website',
    method: 'feed',
    own: true,
    observedAt: '2026-11-20T00:00:00.000000Z',
    signal,
  } as const
  await withJudge(says('Partnership'), async (baseUrl) => {
    const secondOpinion = createSecondOpinion({ ...settings(baseUrl), timeout_seconds: 5 }, { log: silentLog })
    const found = await findSignalsWithSecondOpinion([vague], { ...options, secondOpinion })
    expect(found).toMatchObject([
      { type: 'Partnership', about: "name in the headline, on the company's own site quillmark.example" },
    ])
  })
})
