import type { Command } from '../support/command.ts'
import type { Definition, Group, Handler, Parameter } from '../support/definition.ts'
import { GLOBAL_OPTIONS } from '../support/parameters.ts'

type Entry = Definition | Group
type Shell = 'bash' | 'zsh' | 'fish'

/**
 * Prints a completion script for commands, options, choices and names. zsh runs the bash script with bashcompinit. The
 * scripts call `talhouse completion clients` for the IDs of clients, which change.
 */
export const completion =
  (entries: readonly Entry[]): Handler<{ for: Shell | 'clients' }> =>
  async (command, { for: target }) => {
    if (target === 'clients') return await printClients(command)
    const { PIPELINES } = await import('../../../pipelines/registry.ts')
    const names = { pipelines: PIPELINES.map(({ name }) => name), clients: [] }
    const paths = [
      { path: '', words: entries.map(({ name }) => name), hasClients: false },
      ...entries.flatMap((entry) => pathsOf(entry, names)),
    ]
    command.out.line(target === 'fish' ? fish(paths) : `${target === 'zsh' ? ZSH : ''}${bash(paths)}`)
  }

async function printClients({ config, out }: Command): Promise<void> {
  const { readClientIds } = await import('../support/completed-names.ts')
  const ids = await readClientIds(config)
  if (ids.length > 0) out.line(ids.join('\n'))
}

interface Path {
  /** Commands before the completed word, each followed by a space. */
  path: string
  words: readonly string[]
  /** Whether IDs of clients are also completed. */
  hasClients: boolean
}

type Names = Readonly<Record<NonNullable<Parameter['completes']>, readonly string[]>>

const ZSH = 'autoload -U +X bashcompinit && bashcompinit\n'

function pathsOf(entry: Entry, names: Names, parent = ''): Path[] {
  const path = `${parent}${entry.name} `
  if ('commands' in entry)
    return [
      { path, words: entry.commands.map(({ name }) => name), hasClients: false },
      ...entry.commands.flatMap((each) => pathsOf(each, names, path)),
    ]
  const options = Object.keys({ ...entry.options, ...GLOBAL_OPTIONS }).map((name) => `--${name}`)
  const parameters: Parameter[] = Object.values({ ...entry.positionals, ...entry.options })
  const values = parameters.flatMap(({ choices = [], completes }) => [
    ...choices,
    ...(completes ? names[completes] : []),
  ])
  const hasClients = parameters.some(({ completes }) => completes === 'clients')
  return [{ path, words: [...values, ...options], hasClients }]
}

/**
 * Completes `talhouse` and `npx talhouse`. Longer paths come first, because the first matching pattern in a `case`
 * wins.
 */
const bash = (paths: readonly Path[]): string => `_talhouse() {
  local first=1 typed words
  local -a command=("\${COMP_WORDS[0]}")
  if [ "\${COMP_WORDS[0]}" = npx ]; then
    [ "\${COMP_WORDS[1]}" = talhouse ] && [ "$COMP_CWORD" -gt 1 ] || return
    first=2
    command=(npx --no-install talhouse)
  fi
  typed="\${COMP_WORDS[*]:first:COMP_CWORD-first} "
  [ "$COMP_CWORD" = "$first" ] && typed=''
  case "$typed" in
${paths
  .toSorted((a, b) => b.path.length - a.path.length)
  .map(({ path, words, hasClients }) => {
    const clients = hasClients ? ` $("\${command[@]}" completion clients 2>/dev/null)` : ''
    return `    '${path}'${path === '' ? '' : '*'}) words="${words.join(' ')}${clients}" ;;`
  })
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _talhouse talhouse npx`

const fish = (paths: readonly Path[]): string =>
  paths
    .map(({ path, words, hasClients }) => {
      const seen = path.trim().split(' ').filter(Boolean)
      const condition =
        seen.length === 0
          ? '__fish_use_subcommand'
          : seen.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
      const clients = hasClients ? ' (talhouse completion clients 2>/dev/null)' : ''
      return `complete -c talhouse -f -n '${condition}' -a '${words.join(' ')}${clients}'`
    })
    .join('\n')
