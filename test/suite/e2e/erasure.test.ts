import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { planBackfill } from '../../../pipelines/backfill/plan.ts'
import { runBackfill } from '../../../pipelines/backfill/run-backfill.ts'
import { saveBackfill } from '../../../pipelines/backfill/store.ts'
import { erasures } from '../../../pipelines/erasures/pipeline.ts'
import { history } from '../../../pipelines/history/pipeline.ts'
import { createHostClient } from '../../../pipelines/host/host-client.ts'
import { talMembers } from '../../../pipelines/members/pipeline.ts'
import type { Pipeline, PipelineDeps } from '../../../pipelines/runner/pipeline.ts'
import { runPipeline } from '../../../pipelines/runner/run-pipeline.ts'
import { listSnapshots } from '../../../pipelines/snapshot/list-snapshots.ts'
import { readManifest } from '../../../pipelines/snapshot/manifest.ts'
import { exportSnapshot } from '../../../pipelines/snapshot/pipeline.ts'
import { verifySnapshot } from '../../../pipelines/snapshot/verify-snapshot.ts'
import type { Gathered } from '../../../src/findings/gather.ts'
import { createLogger } from '../../../src/lib/logger.ts'
import { hashEmail } from '../../../src/personal-data/email-hash.ts'
import { openCommandLine } from '../../helpers/command-line.ts'
import { gathered, record, says, shows, tells } from '../../helpers/findings.ts'
import { pipelineDeps } from '../../helpers/pipeline-deps.ts'
import { placesHolding } from '../../helpers/search-database.ts'
import type { TestService } from '../../helpers/service.ts'
import { startService } from '../../helpers/service.ts'

const OLD = 'zq@acme.example'
const NEW = 'zelda.quux@acme.example'
const PROFILE = 'https://network.example/in/zelda-quux'
/** All texts that identify the person, in upper or lower case. */
const NAMES = ['zelda', 'zélda', 'quux', 'zq@', 'zq%40', '555 0100', hashEmail(OLD).hash, hashEmail(NEW).hash]

/**
 * Stores a person with two addresses and records at one company, three spellings, a profile, headlines, and a company
 * that leaves the list.
 */
async function storeZelda({ db, call, client }: TestService): Promise<void> {
  const store = (found: Gathered) => record(db, found)
  const domains = ['acme.example', 'other.example', 'birch.example']
  expect((await call('POST', '/v2/clients/me/tal/companies', { body: { domains } })).status).toBe(200)
  const bob = shows('website', 'Bob Stone', { email: 'bob@acme.example' })
  await store(
    gathered('acme.example', { people: [shows('website', 'Zelda Quux', { email: OLD, phone: '+1 555 0100' }), bob] }),
  )
  await store(
    gathered('acme.example', { people: [shows('news', 'Dr. Zelda Quux', { email: NEW, social_url: PROFILE })] }),
  )
  await store(gathered('other.example', { people: [shows('website', 'Zélda A. Quux', { social_url: PROFILE })] }))
  for (const domain of ['acme.example', 'other.example'])
    await store(
      gathered(domain, {
        observations: [says('website', 'name', domain), says('website', 'description', `${domain} of Zelda Quux`)],
        signals: [tells('news', `Zelda Quux joins ${domain}`), tells('news', `${domain} raises $5m`)],
      }),
    )
  const { body } = await call('POST', '/v2/enrich/person', {
    body: { full_name: 'ZELDA QUUX', company_domain: 'acme.example' },
    headers: { 'idempotency-key': `person:${NEW}` },
  })
  await sql`
    insert into webhook_delivery (client_id, delivery_id, task_id, url, payload)
    values (${client.client_id}, gen_random_uuid(), ${body['task_id']}, 'https://hooks.example/?for=zq%40acme.example',
      ${JSON.stringify({ person: { full_name: 'Zelda Quux', email: NEW } })})`.execute(db)
}

/** Returns people of acme.example whose second record the warehouse rejects. */
function rejectingNew(deps: PipelineDeps): PipelineDeps {
  const { persons } = deps.client
  const batchRead: typeof persons.batchRead = async (...args) => {
    const batch = await persons.batchRead(...args)
    const spoil = (person: object) =>
      JSON.stringify(person).includes(NEW) ? { ...person, enriched_at: 'soon' } : person
    return (
      batch && {
        ...batch,
        companies: batch.companies.map((one) => ({
          ...one,
          persons: one.persons.map((person) => spoil(person as object)),
        })),
      }
    )
  }
  return { ...deps, client: { ...deps.client, persons: { ...persons, batchRead } } }
}

it('an erased person remains in no database, snapshot or log', async () => {
  let logged = ''
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  const log = createLogger('debug', destination)
  await using service = await startService({ log })
  await storeZelda(service)
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-erasure-'))
  await using cli = await openCommandLine(service, {
    TALHOUSE_SERVICE_DATABASE_URL: service.postgres.url,
    TALHOUSE_SNAPSHOT_URL: pathToFileURL(folder).href,
  })
  await using client = createHostClient({ baseUrl: service.url, apiKey: service.key })
  const settings = {
    members: {
      max_gone_share: 1,
      full_pull_days: 7,
      former_people_days: 1095,
      provenance: 'none' as const,
    },
  }
  const deps = rejectingNew({ ...pipelineDeps(cli.warehouse, client, settings, folder), log })
  const run = async (pipeline: Pipeline): Promise<void> => {
    const { signal } = new AbortController()
    const { error } = await runPipeline(deps, pipeline, { requestedBy: 'command', signal })
    expect(error).toBeUndefined()
  }
  const { db } = cli.warehouse

  await run(talMembers)
  await run(history)
  const backfill = await saveBackfill(db, await planBackfill(db, 'members', {}, deps.settings))
  await run(exportSnapshot)
  await service.call('DELETE', '/v2/clients/me/tal/companies', { body: { domains: ['other.example'] } })
  await run(talMembers)
  await run(exportSnapshot)
  const places = (await Promise.all(NAMES.map((name) => placesHolding(db, name)))).flat()
  expect(places).toEqual(
    expect.arrayContaining(['warehouse.person.full_name', 'warehouse.signal.headline', 'warehouse.quarantine.record']),
  )
  const sink = await deps.snapshots.open()
  const { snapshots } = await listSnapshots(sink)
  expect(snapshots).toHaveLength(2)

  expect(await cli.run('privacy', 'erase', PROFILE)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })
  const erased = await cli.run('privacy', 'erase', PROFILE, '--yes', '--json')
  expect(erased).toMatchObject({ code: 0 })
  expect(JSON.parse(erased.out).snapshots).toEqual(snapshots.map(({ id }) => id))
  await run(erasures)
  await run(runBackfill(backfill))
  await run(talMembers)
  await run(history)
  await run(exportSnapshot)

  for (const name of NAMES) {
    expect([name, await placesHolding(service.db, name)]).toEqual([name, []])
    expect([name, await placesHolding(db, name)]).toEqual([name, []])
  }
  const { rows } = await sql<{ name: string }>`
    select full_name as name from warehouse.person union select headline from warehouse.signal order by 1`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual(['Bob Stone', 'acme.example raises $5m', 'other.example raises $5m'])

  const files = await textOfFiles(folder)
  expect(files).toContain('Bob Stone')
  for (const name of NAMES) expect([name, files.toLowerCase().includes(name)]).toEqual([name, false])
  for (const { id } of (await listSnapshots(sink)).snapshots) {
    const verdicts = await verifySnapshot(sink, await readManifest(sink, id))
    expect(verdicts.flatMap(({ problems }) => problems)).toEqual([])
  }
  const output = (logged + erased.out + erased.err).toLowerCase()
  expect(output).toContain('snapshots rewritten')
  for (const name of NAMES) expect([name, output.includes(name)]).toEqual([name, false])
  await rm(folder, { recursive: true })
})

/** Reads the unpacked contents of all files in the folder. */
async function textOfFiles(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile())
    .map(async (file) => {
      const bytes = await readFile(join(file.parentPath, file.name))
      return (file.name.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString()
    })
  return (await Promise.all(texts)).join('\n')
}
