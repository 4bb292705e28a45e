import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Seniority } from '../../src/contract/person-values.ts'
import type { Findings, Provider } from '../../src/findings/provider.ts'
import { isoMicros } from '../../src/lib/timestamps.ts'

/** The response for a company. A domain without an entry gets a name derived from the domain. */
export interface Known {
  name?: string
  people?: { full_name: string; title: string; seniority: Seniority; email?: string; social_url?: string }[]
  signals?: { type: 'Funding'; headline: string; date: string; url: string }[]
  /** Status of the response. */
  status?: number
  /** Do not respond. */
  silent?: boolean
}

export interface AnswerServer extends AsyncDisposable {
  url: string
  /** Number of requests, by domain. */
  asked: Map<string, number>
  known: Map<string, Known>
}

/** Starts a company source over HTTP, by default on 127.0.0.1. */
export async function startAnswerServer(port = 0, address = '127.0.0.1'): Promise<AnswerServer> {
  const asked = new Map<string, number>()
  const known = new Map<string, Known>()
  const server = createServer((request, reply) => {
    const domain = request.url?.slice(1) ?? ''
    asked.set(domain, (asked.get(domain) ?? 0) + 1)
    const answer = known.get(domain) ?? { name: `The ${domain} company` }
    if (!answer.silent)
      reply.writeHead(answer.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  const url = `http://${address}:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked,
    known,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Creates a provider that queries the server. */
export function answerProvider(url: string): Provider {
  return {
    name: 'answers',
    groups: new Set(['company', 'leadership', 'signals']),
    recheckAfterDays: 30,
    async find({ domain, clock, signal }) {
      const reply = await fetch(`${url}/${domain}`, { signal })
      if (reply.status === 404) return nothing('not_found', 'it is not listed')
      if (!reply.ok) return nothing('unavailable', `it answered ${reply.status}`)
      return toFindings((await reply.json()) as Known, `${url}/${domain}`, isoMicros(clock.now()))
    },
  }
}

const nothing = (status: Findings['status'], reason: string): Findings => ({
  status,
  reason,
  observations: [],
  people: [],
  signals: [],
})

function toFindings({ name, people = [], signals = [] }: Known, url: string, observed_at: string): Findings {
  const evidence = { source: 'answers', url, observed_at, method: 'page', confidence: 0.9 }
  return {
    status: 'found',
    reason: null,
    observations: name === undefined ? [] : [{ ...evidence, field: 'name', value: name }],
    people: people.map((person) => ({
      ...evidence,
      first_name: person.full_name.split(' ')[0] ?? null,
      last_name: person.full_name.split(' ').at(-1) ?? null,
      department: null,
      phone: null,
      social_url: null,
      ...person,
      email: person.email ?? null,
      email_status: person.email ? 'published' : null,
      email_confidence: person.email ? 0.99 : null,
    })),
    signals: signals.map((signal) => ({ ...evidence, ...signal, about: 'the list says so' })),
  }
}
