/**
 * Executes the steps of the Dockerfile without a container runtime, in root file systems created by debootstrap. Then
 * starts the image with demo data, under the restrictions of compose.yaml (an ordinary user without capabilities, a
 * read-only root file system) and without a network. Fails unless the health check succeeds within its start period,
 * the first nightly run is `ok`, and the process exits with code 0 after SIGTERM. Prints the durations and the size.
 * Requires root and debootstrap, and does nothing without them. Node comes from npm, because the `node` image cannot be
 * downloaded without a registry. `npm run try-image -- FOLDER` keeps the root file system of `node` in FOLDER for later
 * runs.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ROOT } from './build-folder.ts'
import type { Instruction, Stage } from './image/dockerfile.ts'
import { execForm, pairsOf, readDockerfile } from './image/dockerfile.ts'
import { copyContext, createNodeImage, execBeside, runIn, startIn } from './image/root-file-system.ts'

/** The state after a stage's instructions. */
interface Image {
  root: string
  env: Record<string, string>
  /** The values of `ARG`, which only `RUN` receives. */
  args: Record<string, string>
  cwd: string
  user: string
  volume: string
  healthCheck: string[]
  /** Time limit for the health check, in seconds. */
  startPeriod: number
  entrypoint: string[]
}

if (process.getuid?.() !== 0 || spawnSync('debootstrap', ['--version']).status !== 0) {
  console.log('Skipped: it needs root and debootstrap.')
  process.exit(0)
}
const base = mkdtempSync(join(tmpdir(), 'talhouse-image-'))
try {
  const nodeImage = resolve(process.argv[2] ?? join(base, 'node-image'))
  if (!existsSync(nodeImage)) createNodeImage(nodeImage, base)
  const stages = new Map<string, Image>()
  for (const stage of readDockerfile(join(ROOT, 'Dockerfile')))
    stages.set(stage.name ?? '', build(stage, nodeImage, stages))
  const image = stages.get('') as Image
  const [size = ''] = execFileSync('du', ['-sm', '--apparent-size', join(image.root, 'opt')], {
    encoding: 'utf8',
  }).split('\t')
  console.table([{ 'MB in /opt': Number(size), ...(await tryOut(image)) }])
} finally {
  rmSync(base, { recursive: true, force: true })
}

function build(stage: Stage, nodeImage: string, stages: ReadonlyMap<string, Image>): Image {
  const root = join(base, stage.name ?? 'image')
  execFileSync('cp', ['--archive', '--reflink=auto', nodeImage, root])
  const image: Image = {
    root,
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
    args: {},
    cwd: '/',
    user: '0:0',
    volume: '',
    healthCheck: [],
    startPeriod: 0,
    entrypoint: [],
  }
  for (const instruction of stage.instructions) {
    const started = performance.now()
    apply(instruction, image, stages)
    const seconds = Math.round((performance.now() - started) / 1000)
    if (seconds > 0) console.log(`${seconds} s: ${instruction.name} ${instruction.text}`)
  }
  return image
}

function apply({ name, options, text }: Instruction, image: Image, stages: ReadonlyMap<string, Image>): void {
  switch (name) {
    case 'WORKDIR':
      image.cwd = text
      mkdirSync(join(image.root, text), { recursive: true })
      return
    case 'COPY':
      copy(text.split(/\s+/), image, options['from'] === undefined ? undefined : stages.get(options['from'])?.root)
      return
    case 'RUN':
      runIn(image.root, text, {
        cwd: image.cwd,
        env: { ...image.env, ...image.args },
        mounts: mountsOf(options['mount'], stages),
      })
      return
    case 'ENV':
      for (const [key, value] of pairsOf(text))
        image.env[key] = value.replaceAll(/\$\{(\w+)\}/g, (_, other) => image.env[other] ?? '')
      return
    case 'USER':
      image.user = text
      return
    case 'VOLUME':
      image.volume = text
      return
    case 'HEALTHCHECK':
      image.healthCheck = execForm(text.replace(/^CMD /, ''))
      image.startPeriod = Number.parseInt(options['start-period'] ?? '', 10)
      return
    case 'ENTRYPOINT':
      image.entrypoint = execForm(text)
      return
    case 'ARG':
      for (const [key, value] of pairsOf(text)) image.args[key] = value
      return
    case 'LABEL':
    case 'EXPOSE':
    case 'CMD':
      return
    default:
      throw new Error(`This script does not know ${name}.`)
  }
}

/** Executes `COPY` from the build context, or from the file system of an earlier stage. */
function copy(paths: readonly string[], { root, cwd }: Image, source: string | undefined): void {
  const [last = ''] = paths.slice(-1)
  const target = join(root, resolve(cwd, last))
  for (const path of paths.slice(0, -1))
    if (path === '.') copyContext(ROOT, target)
    else {
      const to = last.endsWith('/') ? join(target, path) : target
      mkdirSync(dirname(to), { recursive: true })
      cpSync(join(source ?? ROOT, path), to, { recursive: true, verbatimSymlinks: true })
    }
}

/** Parses a mount such as `from=package,source=/package,target=/package`. The type is `bind`, the default. */
function mountsOf(mount: string | undefined, stages: ReadonlyMap<string, Image>): Record<string, string> {
  if (mount === undefined) return {}
  const { from = '', source = '', target = '' } = Object.fromEntries(mount.split(',').map((pair) => pair.split('=')))
  return { [target]: join((stages.get(from) as Image).root, source) }
}

async function tryOut(image: Image): Promise<Record<string, number>> {
  const { root, healthCheck, startPeriod, entrypoint } = image
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 100) / 10
  const up = startIn(root, [...entrypoint, 'up'], image)
  let printed = ''
  for (const stream of [up.stdout, up.stderr])
    stream?.on('data', (text) => {
      printed += text
    })
  const until = async (isDone: () => Promise<boolean>, limit: number): Promise<number> => {
    while (!(await isDone())) {
      if (up.exitCode !== null || seconds() > limit) throw new Error(`not within ${limit} s:\n${printed}`)
      await wait(500)
    }
    return seconds()
  }
  try {
    const healthy = await until(
      async () => (await execBeside(up.pid as number, root, healthCheck, image)) === 0,
      startPeriod,
    )
    const night = await until(async () => printed.includes('Ctrl-C'), 600)
    if (!/Run 1, nightly: ok/.test(printed)) throw new Error(`the first night was not ok:\n${printed}`)
    up.kill('SIGTERM')
    while (up.exitCode === null && up.signalCode === null) await wait(50)
    if (up.exitCode !== 0) throw new Error(`SIGTERM ended it with ${up.exitCode ?? up.signalCode}:\n${printed}`)
    return { 'healthy s': healthy, 'first night s': night }
  } finally {
    if (up.exitCode === null) up.kill('SIGKILL')
  }
}
