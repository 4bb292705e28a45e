/**
 * Installs the packed tarball into an empty folder, as a user would, and runs `talhouse up` there until the end of the
 * first nightly run. Prints the installed size and the seconds taken by the installation, the first reply and the first
 * nightly run. Fails if the package exceeds 150 MB, if the first reply takes more than 60 s, or if the nightly run is
 * not `ok`. The folder's name contains a space.
 *
 * `npm run try-package` uses the current Node version, and `npm run try-package -- 22` installs Node 22 from npm.
 * `npm run try-package -- matrix` tests Node 22 and 24 as the current user and, if that is root, also as an ordinary
 * user. It then tests a clone of the repository.
 */
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const MAX_MEGABYTES = 150
const MAX_SECONDS = 60
/** The user `nobody` on Linux, which owns no files. */
const ORDINARY_USER = 65_534

interface Trial {
  readonly name: string
  readonly node: string
  /** ID of the user that runs the trial; the current user if undefined. */
  readonly user?: number
  readonly install: (folder: string, run: Run) => void
  /** The command that starts talhouse. */
  readonly start: readonly string[]
  readonly maxMegabytes?: number
}

type Run = (command: string, args: readonly string[], folder?: string) => string

interface Figures {
  readonly install: string
  readonly node: string
  readonly user: string
  readonly MB: number
  readonly 'install s': number
  readonly 'first reply s': number
  readonly 'first night s': number
}

const [argument] = process.argv.slice(2)
const root = join(import.meta.dirname, '..')
const base = mkdtempSync(join(tmpdir(), 'talhouse package '))
chmodSync(base, 0o755)
try {
  const trials = chooseTrials()
  const figures: Figures[] = []
  for (const trial of trials) {
    const figure = await tryOut(trial)
    figures.push(figure)
    console.log(Object.values(figure).join(', '))
  }
  console.table(figures)
  const failed = trials.filter(({ maxMegabytes }, at) => isOver(figures[at] as Figures, maxMegabytes))
  if (failed.length > 0)
    throw new Error(`over ${MAX_MEGABYTES} MB or ${MAX_SECONDS} s: ${failed.map(({ name }) => name).join(', ')}`)
} finally {
  rmSync(base, { recursive: true, force: true })
}

function isOver(figures: Figures, maxMegabytes = Number.POSITIVE_INFINITY): boolean {
  return figures.MB > maxMegabytes || figures['first reply s'] > MAX_SECONDS
}

function chooseTrials(): Trial[] {
  const tarball = pack()
  const packageOn = (node: string, user?: number): Trial => ({
    name: 'package',
    node,
    ...(user !== undefined && { user }),
    install: (folder, run) => {
      run('sh', ['-c', `echo '{"private": true}' > package.json`])
      run('npm', ['install', '--no-audit', '--no-fund', tarball])
      const sbom = JSON.parse(readFileSync(join(folder, 'node_modules/talhouse/dist/sbom.cdx.json'), 'utf8'))
      const names = sbom.components?.map(({ name }: { name: string }) => name) ?? []
      if (!names.includes('kysely') || !names.includes('preact')) throw new Error('the package has no complete SBOM')
    },
    start: ['npx', 'talhouse', 'up'],
    maxMegabytes: MAX_MEGABYTES,
  })
  if (argument !== 'matrix') return [packageOn(argument === undefined ? process.execPath : installNode(argument))]
  const users = process.getuid?.() === 0 ? [undefined, ORDINARY_USER] : [undefined]
  const nodes = ['22', '24'].map(installNode)
  const clone: Trial = {
    name: 'clone',
    node: nodes[1] as string,
    install: (folder, run) => {
      run('git', ['clone', '--quiet', root, '.'], folder)
      run('npm', ['ci', '--no-audit', '--no-fund'])
    },
    start: ['npm', 'start'],
  }
  return [...nodes.flatMap((node) => users.map((user) => packageOn(node, user))), clone]
}

function pack(): string {
  execFileSync('npm', ['pack', '--pack-destination', base], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  const [name] = globSync('*.tgz', { cwd: base })
  return join(base, name as string)
}

function installNode(version: string): string {
  const folder = join(base, `node-${version}`)
  mkdirSync(folder)
  // The package's install script downloads the runtime.
  writeFileSync(join(folder, 'package.json'), '{"private": true, "allowScripts": {"node": true}}\n')
  const install = ['install', '--no-audit', '--no-fund', `node@${version}`]
  execFileSync('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  return join(folder, 'node_modules/node/bin/node')
}

async function tryOut({ name, node, user, install, start }: Trial): Promise<Figures> {
  const home = mkdtempSync(join(base, 'home of a user '))
  const folder = join(home, 'my project')
  mkdirSync(folder)
  const identity = user === undefined ? {} : { uid: user, gid: user }
  if (user !== undefined) for (const path of [home, folder]) chownSync(path, user, user)
  const [http, postgres] = await freePorts()
  const env = {
    ...process.env,
    // `npm run` exports the cache path of the user who started it.
    ...(user !== undefined && { HOME: home, npm_config_cache: join(home, '.npm') }),
    PATH: [dirname(node), process.env['PATH']].join(delimiter),
    TALHOUSE_HTTP_PORT: String(http),
    TALHOUSE_POSTGRES_PORT: String(postgres),
  }
  const run: Run = (command, args) =>
    execFileSync(command, args, {
      cwd: folder,
      env,
      ...identity,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const seconds = stopwatch()
  install(folder, run)
  const installed = seconds()
  const [megabytes] = run('du', ['-sm', '--apparent-size', 'node_modules']).split('\t')
  const minutes = await firstMinutes(start, http, { cwd: folder, env, ...identity })
  const figures = {
    install: name,
    node: run('node', ['--version']).trim(),
    user: run('id', ['-un']).trim(),
    MB: Number(megabytes),
    'install s': installed,
    'first reply s': minutes.firstReply,
    'first night s': minutes.firstNight,
  }
  rmSync(home, { recursive: true, force: true })
  return figures
}

function stopwatch(): () => number {
  const started = performance.now()
  return () => Math.round((performance.now() - started) / 100) / 10
}

async function freePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()]
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
  return ports as [number, number]
}

/**
 * Returns the seconds from the start to the first reply and to the end of the first nightly run. Throws unless the run
 * is `ok`.
 */
async function firstMinutes(
  [command, ...args]: readonly string[],
  port: number,
  options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number },
) {
  const seconds = stopwatch()
  const up = spawn(command as string, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let printed = ''
  for (const stream of [up.stdout, up.stderr])
    stream.on('data', (text) => {
      printed += text
    })
  const until = async (isDone: () => Promise<boolean>): Promise<number> => {
    while (!(await isDone())) {
      if (up.exitCode !== null || seconds() > 600)
        throw new Error(`talhouse up did not complete the first night:\n${printed}`)
      await wait(100)
    }
    return seconds()
  }
  try {
    const ready = `http://127.0.0.1:${port}/health/ready`
    const firstReply = await until(async () => (await fetch(ready).catch(() => undefined))?.ok ?? false)
    const firstNight = await until(async () => printed.includes('Ctrl-C'))
    if (!/Run 1, nightly: ok/.test(printed)) throw new Error(`the first night was not ok:\n${printed}`)
    return { firstReply, firstNight }
  } finally {
    // As with Ctrl-C in a terminal, npm and talhouse both receive the signal.
    if (up.exitCode === null && up.pid !== undefined) process.kill(-up.pid, 'SIGINT')
    while (up.exitCode === null && up.signalCode === null) await wait(50)
  }
}
