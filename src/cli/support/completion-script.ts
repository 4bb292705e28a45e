import { PIPELINES } from '../../../pipelines/registry.ts'
import type { Definition, Group, Parameter } from './definition.ts'
import type { Lookup, Shell } from './parameters.ts'
import { GLOBAL_OPTIONS, LOOKUPS } from './parameters.ts'

type Entry = Definition | Group

/**
 * Returns a completion script for commands, options, choices and names. zsh runs the bash script with bashcompinit. The
 * scripts call `talhouse completion clients` and `talhouse completion views` for names that change.
 */
export function completionScript(entries: readonly Entry[], shell: Shell): string {
  const paths = [
    { path: '', words: entries.map(({ name }) => name), lookups: [] },
    ...entries.flatMap((entry) => pathsOf(entry)),
  ]
  return shell === 'fish' ? fish(paths) : `${shell === 'zsh' ? ZSH : ''}${bash(paths)}`
}

interface Path {
  /** Commands before the completed word, each followed by a space. */
  path: string
  words: readonly string[]
  /** Kinds of names that the script looks up at completion time. */
  lookups: readonly Lookup[]
}

const ZSH = 'autoload -U +X bashcompinit && bashcompinit\n'

function pathsOf(entry: Entry, parent = ''): Path[] {
  const path = `${parent}${entry.name} `
  if ('commands' in entry)
    return [
      { path, words: entry.commands.map(({ name }) => name), lookups: [] },
      ...entry.commands.flatMap((each) => pathsOf(each, path)),
    ]
  const options = Object.keys({ ...entry.options, ...GLOBAL_OPTIONS }).map((name) => `--${name}`)
  const parameters: Parameter[] = Object.values({ ...entry.positionals, ...entry.options })
  const values = parameters.flatMap(({ choices = [], completes }) => [
    ...choices,
    ...(completes === 'pipelines' ? PIPELINES.map(({ name }) => name) : []),
  ])
  const lookups = LOOKUPS.filter((kind) => parameters.some(({ completes }) => completes === kind))
  return [{ path, words: [...values, ...options], lookups }]
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
  .map(({ path, words, lookups }) => {
    const names = lookups.map((kind) => ` $("\${command[@]}" completion ${kind} 2>/dev/null)`).join('')
    return `    '${path}'${path === '' ? '' : '*'}) words="${words.join(' ')}${names}" ;;`
  })
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _talhouse talhouse npx`

const fish = (paths: readonly Path[]): string =>
  paths
    .map(({ path, words, lookups }) => {
      const seen = path.trim().split(' ').filter(Boolean)
      const condition =
        seen.length === 0
          ? '__fish_use_subcommand'
          : seen.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
      const names = lookups.map((kind) => ` (talhouse completion ${kind} 2>/dev/null)`).join('')
      return `complete -c talhouse -f -n '${condition}' -a '${words.join(' ')}${names}'`
    })
    .join('\n')
