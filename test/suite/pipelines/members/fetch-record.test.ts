import { expect, it } from 'vitest'
import type { HostClient } from '../../../../pipelines/host/host-client.ts'
import { createHostClient } from '../../../../pipelines/host/host-client.ts'
import { Host } from '../../../../pipelines/host-profile/host.ts'
import { fetchRawMembers } from '../../../../pipelines/members/fetch-record.ts'
import { pipelineBench } from '../../../helpers/pipeline.ts'
import { startStrangeHost } from '../../../helpers/strange-host.ts'

const person = (domain: string) => ({ full_name: `Chief of ${domain}`, company_domain: domain })

/** Fetches members through a client whose host supports batches, except for the given responses. */
async function fetchWith(
  batches: Partial<Record<'companies' | 'persons', unknown[] | undefined>>,
  provenance = 'none',
) {
  await using host = await startStrangeHost()
  for (const domain of ['a.example', 'b.example']) {
    host.world.companies.set(domain, { domain, name: domain })
    host.world.persons.set(domain, [person(domain)])
  }
  await using bench = await pipelineBench(host)
  await using rest = createHostClient({ baseUrl: host.url, apiKey: 'key' })
  const reply = (kind: 'companies' | 'persons') => async () =>
    kind in batches ? { companies: batches[kind] } : undefined
  const client = {
    ...rest,
    companies: { ...rest.companies, batchRead: reply('companies') },
    persons: { ...rest.persons, batchRead: reply('persons') },
  } as HostClient
  const { deps } = bench
  const context = { ...deps, client, settings: { ...deps.settings, members: { ...deps.settings.members, provenance } } }
  const reader = { ...context, host: await Host.open(context), signal: new AbortController().signal }
  const members = await fetchRawMembers(reader as Parameters<typeof fetchRawMembers>[0], ['a.example', 'b.example'])
  return { members, requests: host.requests }
}

const complete = (domain: string) => ({ domain, persons: [person(domain)], total: 1 })

it('fetches members in a batch without further requests', async () => {
  const { members, requests } = await fetchWith({
    companies: [{ domain: 'b.example' }, { domain: 'a.example' }],
    persons: [complete('a.example'), complete('b.example')],
  })
  expect([...(members?.values() ?? [])]).toMatchObject([
    { domain: 'a.example', company: { domain: 'a.example' }, persons: [person('a.example')] },
    { domain: 'b.example', company: { domain: 'b.example' }, persons: [person('b.example')] },
  ])
  expect(requests).toEqual([])
})

it.each([
  ['has no record in the batch', [{ domain: 'a.example' }], complete('b.example')],
  [
    'has more people than the batch contains',
    [{ domain: 'a.example' }, { domain: 'b.example' }],
    { ...complete('b.example'), total: 201 },
  ],
])('omits a member from a batch if it %s', async (_, companies, persons) => {
  const { members } = await fetchWith({ companies, persons: [complete('a.example'), persons] })
  expect([...(members?.keys() ?? [])]).toEqual(['a.example'])
})

it.each([
  ['the host supports no batches of people', { companies: [] }, 'none'],
  ['the host supports no batches of companies', { persons: [complete('a.example')] }, 'none'],
  ['provenance is pulled', { companies: [], persons: [] }, 'companies'],
])('fetches no batch if %s', async (_, batches, provenance) => {
  expect((await fetchWith(batches, provenance)).members).toBeUndefined()
})
