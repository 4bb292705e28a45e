/**
 * Runs the interface tests, records which parts of the contract each test uses, and writes
 * docs/generated/api-coverage.md.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'talhouse-calls-'))
const env = { ...process.env, TALHOUSE_TEST_CALLS: join(folder, 'calls') }
const suite = (...names: string[]) => names.map((name) => `test/suite/${name}`)
const steps = [suite('http', 'privacy', 'webhooks'), [...suite('docs/api-coverage.test.ts'), '-t', 'is generated']]
for (const step of steps) {
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...step], {
    stdio: 'inherit',
    env,
  })
  process.exitCode ||= status ?? 1
}
rmSync(folder, { recursive: true })
