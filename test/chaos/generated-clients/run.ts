/**
 * npm run chaos -- generated-clients: generates a TypeScript client (openapi-typescript, openapi-fetch) and a Python
 * client (openapi-python-client) from the served OpenAPI document. Each client imports a list, matches, enriches,
 * waits, reads and exports, using the service, its worker and the demo web. If a generator cannot be installed, its
 * client is skipped and the reason is printed.
 */
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { createApiKey } from '../../../src/auth/api-keys.ts'
import { createClient } from '../../../src/auth/clients.ts'
import { SCOPES } from '../../../src/contract/scopes.ts'
import { startDemoWeb } from '../../../src/demo/start-demo-web.ts'
import { importSampleIfEmpty } from '../../../src/form-adv/import-sample.ts'
import { demoSettings, startEnriching } from '../../helpers/enriching-service.ts'
import { packagesOf, pythonWith } from '../../helpers/installed-programs.ts'
import { openChaosDatabase } from '../chaos-database.ts'

const HERE = import.meta.dirname
const NPM_PACKAGES = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3', '@types/node@24']
const run = promisify(execFile)

/** The result that a journey prints. */
interface Journey {
  added: number
  match: string
  status: string
  progress: number
  units_charged: number
  name: string | null
  csv: string
}

await using stack = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'talhouse-generated-'))
stack.defer(() => rm(folder, { recursive: true }))
const chaos = stack.use(await openChaosDatabase({ connections: 10 }))
const web = stack.use(await startDemoWeb({ companies: 30 }))
await importSampleIfEmpty(chaos.service, folder, { firms: 30, maxBytes: 2 ** 26, maxGoneShare: 0.1 })
const service = stack.use(await startEnriching({ service: chaos.service, settings: demoSettings(web) }))
const { rows } = await sql<{ website_domain: string }>`
  select website_domain from firm group by 1 having count(*) = 1`.execute(chaos.service.db)
const [known, other] = web.companies
  .filter(({ domain }) => rows.some(({ website_domain }) => website_domain === domain))
  .slice(0, 2)
if (!known || !other) throw new Error('the demo web has no two advisers')

const document = join(folder, 'openapi.json')
await writeFile(document, await (await fetch(`${service.url}/openapi.json`)).text())
const { components } = JSON.parse(await readFile(document, 'utf8')) as { components: { schemas: object } }
const names = Object.keys(components.schemas)

const npm = packagesOf('openapi-typescript', NPM_PACKAGES)
if (npm) await typescript(npm)
const python = pythonWith('openapi-python-client', join(HERE, 'requirements.txt'))
if (python) await pythonClient(python)
if (!npm && !python) process.exitCode = 1

async function typescript(modules: string): Promise<void> {
  const bin = join(modules, 'node_modules/.bin')
  const schema = join(modules, 'schema.d.ts')
  const named = ['--root-types', '--root-types-no-schema-prefix']
  await run(join(bin, 'openapi-typescript'), [document, '--output', schema, ...named])
  const journey = join(modules, 'journey.mts')
  await copyFile(join(HERE, 'journey.mts'), journey)
  const strict = ['--strict', '--noEmit', '--skipLibCheck', '--allowImportingTsExtensions', '--types', 'node']
  await run(join(bin, 'tsc'), [...strict, '--target', 'esnext', '--module', 'nodenext', journey], {
    cwd: modules,
  }).catch(({ stdout }: { stdout: string }) => {
    throw new Error(`the generated TypeScript client does not compile: ${stdout}`)
  })
  const types = await readFile(schema, 'utf8')
  expectNames('TypeScript', (name) => types.includes(`\nexport type ${name} = components['schemas']['${name}'];`))
  check('TypeScript', await travel('typescript', process.execPath, journey))
}

async function pythonClient(programs: string): Promise<void> {
  const output = join(folder, 'python')
  const config = ['--config', join(HERE, 'python-client.yml')]
  const generator = join(programs, 'openapi-python-client')
  const { stdout } = await run(generator, ['generate', '--path', document, '--output-path', output, ...config])
  if (/WARNING|ERROR/.test(stdout)) throw new Error(`the generator reports: ${stdout}`)
  const result = await travel('python', join(programs, 'python'), join(HERE, 'journey.py'), { PYTHONPATH: output })
  const { models } = result as Journey & { models: string[] }
  expectNames('Python', (name) => models.includes(name))
  check('Python', result)
}

/** Runs a journey as a client with a separate list. */
async function travel(client: string, program: string, script: string, env: object = {}): Promise<Journey> {
  await createClient(chaos.service.db, { client_id: client, name: client, units_per_period: 100 })
  const { key } = await createApiKey(chaos.service.db, client, { scopes: SCOPES })
  const words = [script, service.url, key, known?.name ?? '', known?.domain ?? '', other?.domain ?? '']
  const { stdout } = await run(program, words, { env: { ...process.env, ...env }, timeout: 300_000 })
  return JSON.parse(stdout) as Journey
}

function expectNames(language: string, has: (name: string) => boolean): void {
  const missing = names.filter((name) => !has(name))
  if (missing.length > 0) throw new Error(`the ${language} client has no model named ${missing.join(', ')}`)
  console.log(`${language}: ${names.length} of ${names.length} models are named as in the contract`)
}

function check(language: string, { csv, ...found }: Journey): void {
  const rows = csv.trim().split('\r\n')
  const expected = { added: 2, match: known?.domain, status: 'completed', progress: 1, units_charged: 2 }
  for (const [field, value] of Object.entries(expected))
    if (found[field as keyof typeof found] !== value)
      throw new Error(`${language}: ${field} is ${found[field as keyof typeof found]} instead of ${value}`)
  const line = rows.find((row) => row.startsWith(`${known?.domain},`))
  if (!found.name || !line?.includes('José') || !line.includes(found.name) || rows.length !== 3)
    throw new Error(`${language}: the company or the export is incomplete: ${found.name}, ${csv}`)
  console.log(`${language}: imported, matched, enriched, read and exported ${rows.length - 1} companies`)
}
