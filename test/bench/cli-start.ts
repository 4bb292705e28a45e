/**
 * `npm run bench -- cli-start`, about a minute: `talhouse --version` and `--help` beside a bare yargs program, in alternating runs. Prints the
 * best times, which other load affects least, and their ratio; the target is 1.3.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const ROUNDS = 25
const ROOT = join(import.meta.dirname, '../..')

const programs: Readonly<Record<string, string[]>> = {
  'node -e 0': ['-e', '0'],
  'bare yargs --version': [join(import.meta.dirname, 'bare-cli.js'), '--version'],
  'talhouse --version': [join(ROOT, 'bin/talhouse.js'), '--version'],
  'bare yargs --help': [join(import.meta.dirname, 'bare-cli.js'), '--help'],
  'talhouse --help': [join(ROOT, 'bin/talhouse.js'), '--help'],
}

const best = new Map<string, number>()
for (let round = 0; round <= ROUNDS; round += 1)
  for (const [name, args] of Object.entries(programs)) {
    const started = performance.now()
    const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' })
    if (status !== 0) throw new Error(`${name} exited with ${status}`)
    // The first round fills the compile cache.
    if (round > 0) best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, performance.now() - started))
  }
const milliseconds = (name: string): number => Math.round(best.get(name) ?? Number.NaN)
const ratio = (option: string): number =>
  Math.round((milliseconds(`talhouse ${option}`) / milliseconds(`bare yargs ${option}`)) * 100) / 100
console.table(Object.fromEntries(Object.keys(programs).map((name) => [name, { milliseconds: milliseconds(name) }])))
console.table({ '--version': { ratio: ratio('--version') }, '--help': { ratio: ratio('--help') } })
