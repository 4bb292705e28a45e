/**
 * `npm run chaos -- dates [--list] [NAME ...] [TEST FILE ...]`: runs the test suite on other days, in other time zones
 * and locales, as an unprivileged user, and under load. libfaketime (Debian: `apt-get install faketime`) moves the
 * clocks of Node and PostgreSQL together; it is required. By default, all runs execute the whole suite, which takes
 * about ten minutes per run.
 */
import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildConsole } from '../../scripts/build-console.ts'
import { buildGuide } from '../../scripts/build-guide.ts'
import { markdownTable } from '../helpers/markdown-table.ts'

interface Run {
  name: string
  /** Date and time at the start of the run, or an offset from now in days. */
  at: string | number
  zone: string
  language?: string
  /** Whether the suite runs as `nobody` if this process is root. */
  isOrdinaryUser?: boolean
  /** Whether two busy loops load the machine during the run. */
  isBusy?: boolean
}

const RUNS: readonly Run[] = [
  { name: 'today', at: 0, zone: 'UTC', isOrdinaryUser: true, isBusy: true },
  { name: 'tomorrow', at: 1, zone: 'Asia/Tokyo', isOrdinaryUser: true },
  { name: 'in-45-days', at: 45, zone: 'America/St_Johns', isBusy: true },
  { name: 'before-leap-day', at: '2028-02-28T22:00:00Z', zone: 'Asia/Kathmandu' },
  { name: 'leap-day', at: '2028-02-29T12:00:00Z', zone: 'UTC', language: 'tr_TR.UTF-8' },
  { name: 'new-year', at: `${new Date().getUTCFullYear()}-12-31T23:59:00Z`, zone: 'UTC', isOrdinaryUser: true },
  // Daylight saving time starts or ends during the run.
  { name: 'spring-forward', at: '2027-03-14T06:58:00Z', zone: 'America/New_York' },
  { name: 'fall-back', at: '2027-10-31T00:58:00Z', zone: 'Europe/London', language: 'tr_TR.UTF-8' },
]

interface Result {
  passed: number
  failed: string[]
  seconds: number
}

const ROOT = join(import.meta.dirname, '../..')
const isRoot = process.getuid?.() === 0
const given = process.argv.slice(2)
const names = new Set(RUNS.map(({ name }) => name))
if (given.includes('--list')) console.log(RUNS.map(({ name }) => name).join('\n'))
else await main()

async function main(): Promise<void> {
  const library = await findLibrary()
  if (!library) {
    console.log('Skipped: libfaketime is not installed (Debian: apt-get install faketime)')
    return
  }
  const files = given.filter((argument) => !names.has(argument))
  const unknown = files.filter((file) => !existsSync(join(ROOT, file)))
  if (unknown.length > 0) throw new Error(`neither a run nor a test file: ${unknown.join(', ')}`)
  const chosen = RUNS.filter(({ name }) => given.length === files.length || given.includes(name))
  // Tests that run as another user cannot write to the checkout.
  await buildConsole()
  await buildGuide()
  const rows: Record<string, unknown>[] = []
  for (const run of chosen) {
    const result = await runSuite(run, library, files)
    for (const name of result.failed) console.log(`FAILED ${run.name}: ${name}`)
    rows.push({ ...describeRun(run), passed: result.passed, failed: result.failed.length, seconds: result.seconds })
    if (result.failed.length > 0 || result.passed === 0) process.exitCode = 1
    console.log(`${run.name}: ${result.passed} passed, ${result.failed.length} failed in ${result.seconds} s`)
  }
  console.log(`\n${markdownTable(rows, rows.length)}`)
}

function describeRun({ name, at, zone, language = 'C.UTF-8', isOrdinaryUser, isBusy }: Run) {
  return {
    run: name,
    starts: typeof at === 'number' ? `${at} days from now` : at,
    zone,
    language,
    user: isOrdinaryUser || !isRoot ? 'ordinary' : 'root',
    busy: isBusy ? 'two loops' : 'no',
  }
}

async function runSuite(run: Run, library: string, files: readonly string[]): Promise<Result> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'talhouse-dates-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const account = run.isOrdinaryUser && isRoot ? await nobody() : undefined
  if (account) await chown(folder, account.uid, account.gid)
  // If this process is root, PostgreSQL runs under another account, which must be able to traverse the folder.
  await chmod(folder, 0o755)
  if (run.language) prepareLocale(run.language)
  if (run.isBusy) for (const loop of startLoops(2)) stack.defer(() => void loop.kill('SIGKILL'))
  const report = join(folder, 'report.json')
  const started = performance.now()
  const suite = spawn(
    process.execPath,
    [
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      // Bundling the configuration would write to node_modules, which may belong to another user.
      '--configLoader=native',
      '--reporter=json',
      `--outputFile=${report}`,
      // The timeouts are long enough for a busy machine, but a hanging test still fails.
      '--testTimeout=300000',
      '--hookTimeout=300000',
      // The cache of transformed modules is in node_modules, which belongs to the owner of the checkout.
      ...(account ? ['--fsModuleCache=false'] : []),
      ...files,
    ],
    {
      cwd: ROOT,
      env: { ...process.env, ...environment(run, library), TMPDIR: folder, ...(account && { HOME: folder }) },
      stdio: ['ignore', 'ignore', 'inherit'],
      ...account,
    },
  )
  await once(suite, 'exit')
  const seconds = Math.round((performance.now() - started) / 1000)
  return { ...readReport(await readFile(report, 'utf8').catch(() => undefined)), seconds }
}

/**
 * Sets the same clock offset for all processes. With an absolute time, each process's clock would start at that time.
 */
function environment({ at, zone, language }: Run, library: string): Record<string, string> {
  const offset = typeof at === 'number' ? at * 86_400 : Math.round((Date.parse(at) - Date.now()) / 1000)
  const preload = join(import.meta.dirname, 'processes/keep-clock.mjs')
  return {
    LD_PRELOAD: library,
    FAKETIME: `${offset < 0 ? '' : '+'}${offset}s`,
    // The monotonic clock and file timestamps are unchanged.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
    NODE_OPTIONS: `--import=${preload}`,
    TZ: zone,
    ...(language && { LANG: language, LC_ALL: language }),
  }
}

async function findLibrary(): Promise<string | undefined> {
  for (const folder of ['/usr/lib', ...(await readdir('/usr/lib').catch(() => [])).map((name) => `/usr/lib/${name}`)]) {
    const library = `${folder}/faketime/libfaketimeMT.so.1`
    if (existsSync(library)) return library
  }
  return undefined
}

/** Creates the system locale for libc and PostgreSQL. Node has its own locale data. */
function prepareLocale(language: string): void {
  const known = spawnSync('locale', ['-a'], { encoding: 'utf8' }).stdout ?? ''
  const [name = '', charset = ''] = language.split('.')
  if (known.toLowerCase().includes(language.toLowerCase().replace('-', ''))) return
  const { status } = spawnSync('localedef', ['-i', name, '-f', charset, language])
  if (status !== 0) console.log(`The system has no locale ${language} and cannot create it: only Node uses it.`)
}

async function nobody(): Promise<{ uid: number; gid: number }> {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((entry) => entry.startsWith('nobody:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (!uid || !gid) throw new Error('This system has no user `nobody`.')
  return { uid: Number(uid), gid: Number(gid) }
}

function startLoops(count: number): ChildProcess[] {
  return Array.from({ length: count }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
}

interface Report {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

/**
 * Returns the number of passed tests and the failures in a run. A file that fails without a failing test could not be
 * loaded.
 */
function readReport(text: string | undefined): Omit<Result, 'seconds'> {
  if (text === undefined) return { passed: 0, failed: ['no report was written'] }
  const tests = (JSON.parse(text) as Report).testResults
  const failed = tests.flatMap(({ name, status, message, assertionResults }) => {
    const file = name.replace(`${ROOT}/`, '')
    const own = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ fullName, failureMessages: [why = ''] }) => `${file}: ${fullName}: ${why.split('\n')[0]}`)
    return own.length === 0 && status === 'failed' ? [`${file}: ${message.split('\n')[0]}`] : own
  })
  const passed = tests.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'passed'))
  return { passed: passed.length, failed }
}
