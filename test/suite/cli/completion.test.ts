import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { PIPELINES } from '../../../pipelines/registry.ts'
import { runTalhouse } from '../../helpers/command-line.ts'
import { testDatabase } from '../../helpers/database.ts'
import { startService } from '../../helpers/service.ts'

const scripts = new Map<string, string>()
for (const shell of ['bash', 'zsh', 'fish']) scripts.set(shell, (await runTalhouse(['completion', shell], {})).out)

/** Returns the completion script of a shell. */
const script = (shell: string): string => scripts.get(shell) as string

describe('talhouse completion', () => {
  it('completes the names of all pipelines', () => {
    for (const { name } of PIPELINES) expect(script('bash')).toContain(name)
  })

  it('prints a completion script without reading settings', async () => {
    const { out } = await runTalhouse(['completion', 'bash'], { TALHOUSE_HTTP_PORT: 'none' })
    expect(out).toContain('_talhouse')
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

  it('completes npx talhouse, but no other npx programs', () => {
    const words = (line: string) => {
      const call = `COMP_WORDS=(${line} un); COMP_CWORD=${line.split(' ').length}; _talhouse; echo "\${COMPREPLY[*]}"`
      return execFileSync('bash', ['-c', `${script('bash')}\n${call}`], { encoding: 'utf8' }).trim()
    }
    expect(words('npx talhouse')).toBe('units')
    expect(words('npx other')).toBe('')
  })

  it('completes client IDs from the database, and returns none without a database', async () => {
    await using service = await startService()
    const complete = (settings: Record<string, string>) =>
      runTalhouse(['completion', 'clients'], { ...process.env, TALHOUSE_DATA_DIR: '/nonexistent', ...settings })
    const known = await complete({ TALHOUSE_SERVICE_DATABASE_URL: service.postgres.url })
    expect(known.out).toBe(`${service.client.client_id}\n`)
    const none = { code: 0, out: '', err: '' }
    expect(await complete({ TALHOUSE_SERVICE_DATABASE_URL: 'postgres://x:x@127.0.0.1:9/none' })).toEqual(none)
    expect(await complete({})).toEqual(none)
    expect(script('bash')).toContain('completion clients 2>/dev/null')
    expect(script('fish')).toContain('(talhouse completion clients 2>/dev/null)')
  })

  it("completes the names of the warehouse's tables and views, which talhouse query accepts", async () => {
    await using warehouse = await testDatabase('warehouse')
    const env = { ...process.env, TALHOUSE_WAREHOUSE_DATABASE_URL: warehouse.url }
    const printed = await runTalhouse(['completion', 'views'], env)
    expect(printed.out.split('\n')).toEqual(expect.arrayContaining(['warehouse.firm', 'warehouse.run_status']))
    expect(script('bash')).toContain('completion views 2>/dev/null')
    expect(script('fish')).toContain('(talhouse completion views 2>/dev/null)')
    const rows = await runTalhouse(['query', 'warehouse.run_status', '--format', 'csv'], env)
    expect(rows.out).toMatch(/^pipeline,/)
  })

  it('lists subcommands for fish and loads bashcompinit in zsh', () => {
    expect(script('fish')).toContain("-n '__fish_seen_subcommand_from units' -a 'show grant")
    expect(script('zsh')).toMatch(/^autoload -U \+X bashcompinit/)
  })
})
