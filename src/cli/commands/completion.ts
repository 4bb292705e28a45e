import type { Definition, Group, Handler } from '../support/definition.ts'
import { GLOBAL_OPTIONS } from '../support/parameters.ts'

type Entry = Definition | Group
type Shell = 'bash' | 'zsh' | 'fish'

/** Prints a completion script for commands, options and choices. zsh runs the bash script with bashcompinit. */
export const completion =
  (entries: readonly Entry[]): Handler<{ shell: Shell }> =>
  async ({ out }, { shell }) => {
    const paths = [{ path: '', words: entries.map(({ name }) => name) }, ...entries.flatMap((entry) => pathsOf(entry))]
    out.line(shell === 'fish' ? fish(paths) : `${shell === 'zsh' ? ZSH : ''}${bash(paths)}`)
  }

interface Path {
  /** Commands before the completed word, each followed by a space. */
  path: string
  words: readonly string[]
}

const ZSH = 'autoload -U +X bashcompinit && bashcompinit\n'

function pathsOf(entry: Entry, parent = ''): Path[] {
  const path = `${parent}${entry.name} `
  if ('commands' in entry)
    return [
      { path, words: entry.commands.map(({ name }) => name) },
      ...entry.commands.flatMap((each) => pathsOf(each, path)),
    ]
  const options = Object.keys({ ...entry.options, ...GLOBAL_OPTIONS }).map((name) => `--${name}`)
  const choices = Object.values({ ...entry.positionals, ...entry.options }).flatMap(({ choices = [] }) => choices)
  return [{ path, words: [...choices, ...options] }]
}

/** Longer paths come first, because the first matching pattern in a `case` wins. */
const bash = (paths: readonly Path[]): string => `_talhouse() {
  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1} " words
  [ "$COMP_CWORD" = 1 ] && typed=''
  case "$typed" in
${paths
  .toSorted((a, b) => b.path.length - a.path.length)
  .map(({ path, words }) => `    '${path}'${path === '' ? '' : '*'}) words='${words.join(' ')}' ;;`)
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _talhouse talhouse`

const fish = (paths: readonly Path[]): string =>
  paths
    .map(({ path, words }) => {
      const seen = path.trim().split(' ').filter(Boolean)
      const condition =
        seen.length === 0
          ? '__fish_use_subcommand'
          : seen.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
      return `complete -c talhouse -f -n '${condition}' -a '${words.join(' ')}'`
    })
    .join('\n')
