import { AppError } from '../../lib/errors.ts'
import { closest } from './closest.ts'
import type { Definition, Group } from './definition.ts'
import { parseArguments } from './parse-arguments.ts'

type Entry = Definition | Group

/** The parsed request. */
export type Request =
  | { kind: 'version' }
  /** `entry` is undefined for the program's help. */
  | { kind: 'help'; path: readonly string[]; entry: Entry | undefined; isMissingCommand: boolean }
  | { kind: 'run'; path: readonly string[]; definition: Definition; args: Record<string, unknown> }

/** Parses the words after `talhouse`. Usage errors are thrown before a command is imported. */
export function parseCommandLine(entries: readonly Entry[], words: readonly string[]): Request {
  const { path, entry, rest } = findEntry(entries, words)
  const isGroup = entry === undefined || 'commands' in entry
  const options = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : undefined)
  if (isGroup && rest.some((word) => !word.startsWith('-')))
    throw unknownCommand(entry?.commands ?? entries, path, rest)
  if (options.includes('--help') || options.includes('-h'))
    return { kind: 'help', path, entry, isMissingCommand: false }
  if (options.includes('--version')) return { kind: 'version' }
  if (isGroup) {
    if (rest.length === 0) return { kind: 'help', path, entry, isMissingCommand: true }
    throw unknownCommand(entry?.commands ?? entries, path, rest)
  }
  try {
    return { kind: 'run', path, definition: entry, args: parseArguments(entry, rest) }
  } catch (error) {
    throw error instanceof AppError ? withHint(error.message, path) : error
  }
}

/** Finds the command or group named by the leading words. */
function findEntry(
  entries: readonly Entry[],
  words: readonly string[],
): { path: string[]; entry: Entry | undefined; rest: readonly string[] } {
  const path: string[] = []
  let entry: Entry | undefined
  for (;;) {
    const choices: readonly Entry[] = entry === undefined ? entries : 'commands' in entry ? entry.commands : []
    const next = choices.find(({ name }) => name === words[path.length])
    if (!next) return { path, entry, rest: words.slice(path.length) }
    path.push(next.name)
    entry = next
  }
}

function unknownCommand(entries: readonly Entry[], path: readonly string[], rest: readonly string[]): AppError {
  const word = rest.find((each) => !each.startsWith('-'))
  if (word === undefined) return withHint(`Unknown option ${rest[0]}.`, path)
  const suggestion = closest(
    word,
    entries.map(({ name }) => name),
  )
  return withHint(`Unknown command "${word}".${suggestion ? ` Did you mean "${suggestion}"?` : ''}`, path)
}

const withHint = (message: string, path: readonly string[]): AppError =>
  new AppError('invalid_request', `${message}\nRun "${['talhouse', ...path].join(' ')} --help" for usage.`)
