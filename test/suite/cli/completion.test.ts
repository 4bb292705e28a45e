import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PIPELINE_NAMES } from '../../../pipelines/names.ts'
import { PIPELINES } from '../../../pipelines/registry.ts'
import { testDatabase } from '../../helpers/database.ts'
import { startService } from '../../helpers/service.ts'

const MAIN = join(import.meta.dirname, '../../../src/cli/main.ts')
const scripts = new Map<string, string>()

/** The completion script of a shell. The process starts once per shell. */
function script(shell: string): string {
  const known = scripts.get(shell)
  const text = known ?? execFileSync(process.execPath, [MAIN, 'completion', shell], { encoding: 'utf8' })
  scripts.set(shell, text)
  return text
}

describe('talhouse completion', () => {
  it('knows the names of all pipelines', () => {
    expect(PIPELINE_NAMES).toEqual(PIPELINES.map(({ name }) => name))
  })

  it('prints a script without reading settings', () => {
    const env = { ...process.env, TALHOUSE_HTTP_PORT: 'none' }
    expect(execFileSync(process.execPath, [MAIN, 'completion', 'bash'], { encoding: 'utf8', env })).toContain(
      '_talhouse',
    )
  })

  it.each([
    [['un'], 'units'],
    [['units', 'gr'], 'grant'],
    [['verify', 'fi'], 'firms'],
    [['run', 'ni'], 'nightly'],
    [['runs', 'list', 'tal-'], 'tal-members'],
    [['run', 'nightly', '--js'], '--json'],
  ])('completes %j in bash', (words, expected) => {
    const call = `COMP_WORDS=(talhouse ${words.join(' ')}); COMP_CWORD=${words.length}; _talhouse; echo "\${COMPREPLY[*]}"`
    const printed = execFileSync('bash', ['-c', `${script('bash')}\n${call}`], { encoding: 'utf8' })
    expect(printed.trim().split(' ')).toContain(expected)
  })

  it('completes npx talhouse, and leaves other programs of npx alone', () => {
    const words = (line: string) => {
      const call = `COMP_WORDS=(${line} un); COMP_CWORD=${line.split(' ').length}; _talhouse; echo "\${COMPREPLY[*]}"`
      return execFileSync('bash', ['-c', `${script('bash')}\n${call}`], { encoding: 'utf8' }).trim()
    }
    expect(words('npx talhouse')).toBe('units')
    expect(words('npx other')).toBe('')
  })

  it('completes IDs of clients from the database, and none without one', async () => {
    await using service = await startService()
    const complete = (settings: Record<string, string>) =>
      execFileSync(process.execPath, [MAIN, 'completion', 'clients'], {
        encoding: 'utf8',
        env: { ...process.env, TALHOUSE_DATA_DIR: '/nonexistent', ...settings },
      })
    expect(complete({ TALHOUSE_SERVICE_DATABASE_URL: service.postgres.url })).toBe(`${service.client.client_id}\n`)
    expect(complete({ TALHOUSE_SERVICE_DATABASE_URL: 'postgres://x:x@127.0.0.1:9/none' })).toBe('')
    expect(complete({})).toBe('')
    expect(script('bash')).toContain('completion clients 2>/dev/null')
    expect(script('fish')).toContain('(talhouse completion clients 2>/dev/null)')
  })

  it('completes tables and views of the warehouse, which talhouse query accepts by name', async () => {
    await using warehouse = await testDatabase('warehouse')
    const env = { ...process.env, TALHOUSE_WAREHOUSE_DATABASE_URL: warehouse.url }
    const printed = execFileSync(process.execPath, [MAIN, 'completion', 'views'], { encoding: 'utf8', env })
    expect(printed.split('\n')).toEqual(expect.arrayContaining(['warehouse.firm', 'warehouse.run_status']))
    expect(script('bash')).toContain('completion views 2>/dev/null')
    expect(script('fish')).toContain('(talhouse completion views 2>/dev/null)')
    const rows = execFileSync(process.execPath, [MAIN, 'query', 'warehouse.run_status', '--format', 'csv'], {
      encoding: 'utf8',
      env,
    })
    expect(rows).toMatch(/^pipeline,/)
  })

  it('lists subcommands for fish and loads bashcompinit in zsh', () => {
    expect(script('fish')).toContain("-n '__fish_seen_subcommand_from units' -a 'show grant")
    expect(script('zsh')).toMatch(/^autoload -U \+X bashcompinit/)
  })
})
