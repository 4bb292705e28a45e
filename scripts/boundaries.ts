/**
 * Checks that imports only point downwards (`.dependency-cruiser.cjs`). Fails if too few modules were found, because
 * dependency-cruiser passes silently if it does not support the compiler.
 */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'

interface Cruise {
  summary: {
    totalCruised: number
    violations: { from: string; to: string; rule: { name: string }; cycle?: { name: string }[] }[]
  }
}

const { stdout, stderr } = spawnSync(
  'depcruise',
  ['--output-type', 'json', 'src', 'pipelines', 'console', 'test', 'scripts'],
  {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  },
)
if (!stdout.startsWith('{')) throw new Error(`depcruise did not run: ${stderr}`)
const { summary } = JSON.parse(stdout) as Cruise
const files = globSync('{src,pipelines,console,test,scripts}/**/*.{ts,tsx}').length
for (const { rule, from, to, cycle } of summary.violations) {
  console.error(`${rule.name}: ${from} -> ${cycle ? cycle.map(({ name }) => name).join(' -> ') : to}`)
}
console.log(`${summary.violations.length} boundary violations in ${summary.totalCruised} modules (${files} files)`)
if (summary.totalCruised < files) console.error('Too few modules were found, so the check proves nothing.')
process.exitCode = summary.violations.length > 0 || summary.totalCruised < files ? 1 : 0
