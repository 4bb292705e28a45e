import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../src/lib/embedded-postgres/free-port.ts'
import { startAlertReceiver } from '../../helpers/alert-receiver.ts'
import { eventually } from '../../helpers/eventually.ts'
import { startS3StandIn } from '../../helpers/s3-stand-in.ts'

const ROOT = join(import.meta.dirname, '../../..')

/**
 * Commands that exit with 4, because the examples have unknown rows or the nightly run does not reach its target share
 * of fresh companies.
 */
const PARTIAL = /tal import|talhouse enrich |run nightly|replay|doctor/
/**
 * Commands of the quick start that only change the reader's folder. The test skips all other shell commands, because
 * they may change the host.
 */
const IN_FOLDER = /^(?:cat > |chmod 600 talhouse\.env$|set -a |npx talhouse )/
/** Commands that other tests run: installation and the server itself. */
const ELSEWHERE = /^npm |^npx talhouse up$|^talhouse up$|^talhouse backup restore$/

interface Block {
  readonly language: string
  readonly code: string
}

async function blocksOf(page: string): Promise<Block[]> {
  const markdown = await readFile(join(ROOT, page), 'utf8')
  return [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({ language, code }))
}

/** Splits a code block into commands; continued lines and here-documents stay together. */
const commandsOf = (code: string): string[] =>
  [...code.matchAll(/^[^\n]*<<'END'\n.*?^END$|^(?:[^\n]*(?:\\|\|)\n)*[^\n]+$/gms)].map(([command]) => command.trim())

// Invented companies replace the reader's companies, so that no test fetches real sites.
const REAL: readonly (readonly [RegExp, string])[] = [
  [/^ {2}companies: 0$/m, '  companies: 3'],
  [/https:\/\/hooks\.slack\.com\/[^\s]*/, ''],
  [/AWS_ACCESS_KEY_ID=\.\.\./, 'AWS_ACCESS_KEY_ID=key'],
  [/AWS_SECRET_ACCESS_KEY=\.\.\./, 'AWS_SECRET_ACCESS_KEY=secret'],
  [/create Main --id main/, 'create Main --id second'],
  [/keys create main/, 'keys create second'],
  [/privacy lift 12/, 'privacy lift 1'],
  [/\bia100322\.zip\b/, 'data/sample/sample-roster.csv'],
]

let stack: AsyncDisposableStack
let folder: string
let env: NodeJS.ProcessEnv
let s3: Awaited<ReturnType<typeof startS3StandIn>>
let alerts: Awaited<ReturnType<typeof startAlertReceiver>>
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  folder = await mkdtemp(join(tmpdir(), 'talhouse-guide-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  s3 = stack.use(await startS3StandIn())
  alerts = stack.use(await startAlertReceiver())
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const talhouse = `exec ${JSON.stringify(process.execPath)} ${JSON.stringify(join(ROOT, 'bin/talhouse.js'))} "$@"\n`
  await writeFile(join(bin, 'talhouse'), `#!/bin/sh\n${talhouse}`)
  await writeFile(join(bin, 'npx'), `#!/bin/sh\nshift\n${talhouse}`)
  for (const name of ['talhouse', 'npx']) await chmod(join(bin, name), 0o755)
  env = {
    ...process.env,
    PATH: [bin, process.env['PATH']].join(delimiter),
    TALHOUSE_HTTP_PORT: String(await freePort()),
    TALHOUSE_POSTGRES_PORT: String(await freePort()),
    TALHOUSE_S3_ENDPOINT: s3.endpoint,
    TALHOUSE_LOG_LEVEL: 'error',
  }
})
afterAll(() => stack[Symbol.asyncDispose]())

/** Runs a command in the reader's folder. Standard input is empty, so all prompts are answered with no. */
async function run(command: string) {
  const code = REAL.reduce((done, [from, to]) => done.replace(from, to), command)
  const script = `[ -f talhouse.env ] && { set -a; . ./talhouse.env; set +a; }\n${code}`
  const child = spawn('bash', ['-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { status: child.exitCode, out, error }
}

async function runAll(commands: readonly string[]): Promise<void> {
  for (const command of commands.filter((each) => !ELSEWHERE.test(each))) {
    const { status, error } = await run(command)
    const accepted = PARTIAL.test(command) ? [0, 3, 4] : [0]
    expect(accepted, `${command}\n${error}`).toContain(status)
  }
}

describe('the commands of the documentation', () => {
  it('the commands in docs/quick-start.md lead from an empty folder to a list that is exported to S3, with alerts', async () => {
    const blocks = await blocksOf('docs/quick-start.md')
    const settings = blocks.find(({ language }) => language === 'yaml')?.code ?? ''
    await writeFile(
      join(folder, 'talhouse.yaml'),
      REAL.reduce((done, [from, to]) => done.replace(from, to), settings),
    )
    env['TALHOUSE_ALERT_WEBHOOK_URL'] = `${alerts.url}/chat`
    const commands = blocks
      .filter(({ language }) => language === 'sh')
      .flatMap(({ code }) => commandsOf(code))
      .filter((each) => IN_FOLDER.test(each))
    const start = commands.indexOf('npx talhouse up')
    expect(start).toBeGreaterThan(0)
    const environment = commands.find((each) => each.startsWith('cat > talhouse.env')) as string
    await run(environment.replace(/TALHOUSE_ALERT_WEBHOOK_URL=.*/, `TALHOUSE_ALERT_WEBHOOK_URL=${alerts.url}/chat`))
    await runAll(commands.slice(0, start).filter((each) => each !== environment))
    expect(alerts.at('/chat')).toHaveLength(1)

    const up = spawn('bash', ['-c', 'set -a; . ./talhouse.env; set +a; exec npx talhouse up'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(up, 'exit')
    stack.defer(async () => {
      up.kill('SIGTERM')
      await exited
    })
    let printed = ''
    up.stdout.on('data', (chunk) => {
      printed += String(chunk)
    })
    await eventually('the first night ends', async () => printed.includes('Press Ctrl-C to stop'), 240)
    env['KEY'] = /thk_\S+/.exec(printed)?.[0]

    const demo = (await run('npx talhouse tal list --format csv')).out
    const [first = '', second = ''] = demo.match(/[\w-]+\.example/g) ?? []
    REAL_DOMAINS.push([/\bacme\.com\b/g, first], [/\bglobex\.com\b/g, second])
    await runAll(
      commands
        .slice(start + 1)
        .map(withDomains)
        .map(confirmed),
    )
    await run('npx talhouse tal export list.csv')
    expect(await readFile(join(folder, 'list.csv'), 'utf8')).toMatch(new RegExp(`${first}.*Jane`))
    expect([...s3.objects.keys()].some((key) => key.startsWith('my-bucket/talhouse/'))).toBe(true)
  }, 400_000)

  it.each([
    ['README.md', 1],
    ['docs/privacy.md', 0],
    ['docs/operations.md', 0],
  ])('the documented commands run in order, as %s shows them', async (page) => {
    await cp(join(folder, 'accounts.csv'), join(folder, 'copy.csv'))
    const blocks = (await blocksOf(page)).filter(({ language }) => language === 'sh')
    const commands = blocks
      .flatMap(({ code }) => commandsOf(code))
      .filter((each) => /^(?:npx )?talhouse |^curl /.test(each))
    expect(commands.length).toBeGreaterThan(1)
    await runAll(commands.map(withDomains).map(confirmed))
  }, 400_000)
})

const REAL_DOMAINS: [RegExp, string][] = []
const withDomains = (command: string): string =>
  REAL_DOMAINS.reduce((done, [from, to]) => done.replaceAll(from, to), command)

/** Adds `--yes` to commands that prompt, because they prompt only on terminals. */
const confirmed = (command: string): string =>
  /tal import|talhouse enrich |privacy erase|privacy lift/.test(command) && !command.includes('--yes')
    ? `${command} --yes`
    : command
