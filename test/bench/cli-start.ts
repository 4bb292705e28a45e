/**
 * `npm run bench -- cli-start`: compares `talhouse --version`, `--help` and completion with a minimal yargs program, in
 * alternating order. Prints the best times, which are least affected by other load, and their ratio; the target is 1.3.
 * Takes about a minute.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const ROUNDS = 25
const ROOT = join(import.meta.dirname, '../..')

const BARE = join(import.meta.dirname, 'bare-cli.js')
const TALHOUSE = join(ROOT, 'bin/talhouse.js')

const programs: Readonly<Record<string, string[]>> = {
  'node -e 0': ['-e', '0'],
  'bare yargs --version': [BARE, '--version'],
  'talhouse --version': [TALHOUSE, '--version'],
  'bare yargs --help': [BARE, '--help'],
  'talhouse --help': [TALHOUSE, '--help'],
  // yargs runs the program for each completion; talhouse's completion script completes commands and options itself.
  'bare yargs completion': [BARE, '--get-yargs-completions', 'bare', 'st'],
  'talhouse completion': [TALHOUSE, 'completion', 'bash'],
}

function inOrder(round: number): [string, string[]][] {
  const forward = Object.entries(programs)
  return round % 2 === 0 ? forward : forward.reverse()
}

const best = new Map<string, number>()
for (let round = 0; round <= ROUNDS; round += 1)
  for (const [name, args] of inOrder(round)) {
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
const compared = ['--version', '--help', 'completion']
console.table(Object.fromEntries(compared.map((option) => [option, { ratio: ratio(option) }])))
