/**
 * Installs the packed tarball into an empty folder, as a user would, and runs `talhouse up` there until the first night is over. Prints the
 * installed size and the seconds to the first reply and to the end of the night; fails above 150 MB or 60 s. The folder's name contains a space.
 *
 *   npm run try-package          on the Node that runs this
 *   npm run try-package -- 22    on that major version, installed from npm
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const MAX_MEGABYTES = 150
const MAX_SECONDS = 60
const PORTS = { TALHOUSE_HTTP_PORT: '18080', TALHOUSE_POSTGRES_PORT: '15433' }

const [major] = process.argv.slice(2)
const root = join(import.meta.dirname, '..')
const base = mkdtempSync(join(tmpdir(), 'talhouse package '))
const run = (command: string, args: string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options })
try {
  await tryPackage()
} finally {
  rmSync(base, { recursive: true, force: true })
}

async function tryPackage(): Promise<void> {
  const node = major === undefined ? process.execPath : installNode(major)
  const env = { ...process.env, PATH: [dirname(node), process.env['PATH']].join(delimiter) }
  run('npm', ['pack', '--pack-destination', base], { cwd: root })
  const folder = join(base, 'my project')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n')
  const tarball = run('sh', ['-c', 'ls *.tgz'], { cwd: base }).trim()
  run('npm', ['install', '--no-audit', '--no-fund', join(base, tarball)], { cwd: folder, env })
  const megabytes = Number(run('du', ['-sm', '--apparent-size', 'node_modules'], { cwd: folder }).split('\t')[0])
  const { firstReply, firstNight } = await firstMinutes(node, folder, { ...env, ...PORTS })
  const version = run(node, ['--version'], { cwd: folder }).trim()
  const sbom = JSON.parse(readFileSync(join(folder, 'node_modules/talhouse/dist/sbom.cdx.json'), 'utf8'))
  if (sbom.bomFormat !== 'CycloneDX') throw new Error('the package has no SBOM')
  console.log(
    `Node ${version}: ${megabytes} MB installed, first reply after ${firstReply} s, first night after ${firstNight} s`,
  )
  if (megabytes > MAX_MEGABYTES || firstReply > MAX_SECONDS)
    throw new Error(`limits: ${MAX_MEGABYTES} MB, ${MAX_SECONDS} s`)
}

function installNode(version: string): string {
  const folder = join(base, `node-${version}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n')
  run('npm', ['install', '--no-audit', '--no-fund', `node@${version}`], { cwd: folder })
  return join(folder, 'node_modules/node/bin/node')
}

/** Seconds from the start to the first reply of the service and to the end of the first night. */
async function firstMinutes(node: string, cwd: string, env: NodeJS.ProcessEnv) {
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 100) / 10
  const up = spawn(node, ['node_modules/.bin/talhouse', 'up'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  up.stdout.on('data', (text) => {
    printed += text
  })
  up.stderr.on('data', (text) => {
    printed += text
  })
  const until = async (isDone: () => Promise<boolean>): Promise<number> => {
    while (!(await isDone())) {
      if (up.exitCode !== null || seconds() > 180) throw new Error(`talhouse up did not get there:\n${printed}`)
      await wait(100)
    }
    return seconds()
  }
  try {
    const ready = `http://127.0.0.1:${env['TALHOUSE_HTTP_PORT']}/health/ready`
    const firstReply = await until(async () => (await fetch(ready).catch(() => undefined))?.ok ?? false)
    const firstNight = await until(async () => printed.includes('Ctrl-C'))
    return { firstReply, firstNight }
  } finally {
    up.kill('SIGTERM')
    while (up.exitCode === null && up.signalCode === null) await wait(50)
  }
}
