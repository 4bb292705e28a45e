import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDemoHouse } from '../../helpers/demo-house.ts'

const ROOT = join(import.meta.dirname, '../../..')
const CLIENT = join(ROOT, 'src/client/index.ts')

/** Reads the TypeScript examples on a page. */
async function examplesOf(page: string): Promise<string[]> {
  const text = await readFile(join(ROOT, page), 'utf8')
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
}

it('the client example in README.md runs and has at most ten lines', async () => {
  const [example = ''] = await examplesOf('README.md')
  expect(example.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(10)
  await using house = await openDemoHouse({ companies: 3, firms: 60 })
  const { url, key } = house.service
  const [domain = ''] = house.domains
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-example-'))
  try {
    const file = join(folder, 'example.ts')
    const code = example
      .replace('talhouse/client', CLIENT)
      .replace('http://127.0.0.1:8080', url)
      .replaceAll('lumenfall-wealth.example', domain)
    await writeFile(file, code)
    const env = { ...process.env, TALHOUSE_API_KEY: key }
    const { stdout, stderr, status } = await run(file, env)
    expect([stderr, status]).toEqual(['', 0])
    const lines = stdout.trim().split('\n')
    expect(lines[0]).toMatch(/^[\d.]+$/)
    expect(lines.find((line) => line.startsWith('completed '))).toMatch(/^completed \S.* \S/)
    expect(lines.at(-1)).toMatch(/ ([\d.]+|null)$/)
  } finally {
    await rm(folder, { recursive: true })
  }
})

/** Runs a file without blocking this process, which also runs the service. */
async function run(file: string, env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [file], { env })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text) => {
    stdout += text
  })
  child.stderr.on('data', (text) => {
    stderr += text
  })
  const status = await new Promise((done) => child.once('close', done))
  return { stdout, stderr, status }
}

it('the client examples in docs/client.md compile', async () => {
  const [first = '', ...rest] = await examplesOf('docs/client.md')
  expect(rest.length).toBeGreaterThan(3)
  // Later examples use the client created in the first one.
  const code = [first, ...rest].map((example) => example.replaceAll('talhouse/client', CLIENT)).join('\n')
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-example-'))
  try {
    const file = join(folder, 'examples.mts')
    await writeFile(file, code)
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions']
    const platform = ['--target', 'esnext', '--module', 'nodenext', '--types', 'node']
    const { stdout, status } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), [...options, ...platform, file], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    expect([stdout, status]).toEqual(['', 0])
  } finally {
    await rm(folder, { recursive: true })
  }
})
