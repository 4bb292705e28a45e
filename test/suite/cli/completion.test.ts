import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const MAIN = join(import.meta.dirname, '../../../src/cli/main.ts')
const script = (shell: string): string =>
  execFileSync(process.execPath, [MAIN, 'completion', shell], { encoding: 'utf8' })

describe('talhouse completion', () => {
  it.each([
    [['un'], 'units'],
    [['units', 'gr'], 'grant'],
    [['verify', 'fi'], 'firms'],
    [['run', 'nightly', '--js'], '--json'],
  ])('completes %j in bash', (words, expected) => {
    const call = `COMP_WORDS=(talhouse ${words.join(' ')}); COMP_CWORD=${words.length}; _talhouse; echo "\${COMPREPLY[*]}"`
    const printed = execFileSync('bash', ['-c', `${script('bash')}\n${call}`], { encoding: 'utf8' })
    expect(printed.trim().split(' ')).toContain(expected)
  })

  it('lists subcommands for fish and loads bashcompinit in zsh', () => {
    expect(script('fish')).toContain("-n '__fish_seen_subcommand_from units' -a 'show grant")
    expect(script('zsh')).toMatch(/^autoload -U \+X bashcompinit/)
  })
})
