import { AppError } from '../../lib/errors.ts'
import { MAX_INTEGER } from '../../lib/storable-text.ts'
import { closest } from './closest.ts'
import type { Definition, Parameter, Parameters } from './definition.ts'
import { GLOBAL_OPTIONS } from './parameters.ts'

/** Parses the words after a command's name into its arguments. Throws an error for the first invalid word. */
export function parseArguments(definition: Definition, words: readonly string[]): Record<string, unknown> {
  const options: Parameters = { ...definition.options, ...GLOBAL_OPTIONS }
  const { positionals, given } = splitWords(options, words)
  return { ...positionalValues(definition.positionals, positionals), ...optionValues(options, given) }
}

/**
 * Separates positionals from options: `--name value`, `--name=value`, `--flag` and `--no-flag`. `--` ends the options.
 */
function splitWords(options: Parameters, words: readonly string[]) {
  const positionals: string[] = []
  const given = new Map<string, string[]>()
  const rest = [...words]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') positionals.push(...rest.splice(0))
    else if (!word.startsWith('-') || word === '-' || /^-\d/.test(word)) positionals.push(word)
    else {
      const [, name = word, inline] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? []
      const { key, value } = optionValue(options, name, inline, rest)
      given.set(key, [...(given.get(key) ?? []), value])
    }
  }
  return { positionals, given }
}

function optionValue(options: Parameters, name: string, inline: string | undefined, rest: string[]) {
  const option = Object.hasOwn(options, name) ? options[name] : undefined
  if (option?.type === 'boolean') return { key: name, value: inline ?? 'true' }
  if (option) {
    const next = rest[0]
    const value = inline ?? (next === undefined || /^-\D/.test(next) ? undefined : rest.shift())
    if (value === undefined || value === '') throw invalid(`Option --${name} requires a value.`)
    return { key: name, value }
  }
  const negated = name.replace(/^no-/, '')
  if (negated !== name && inline === undefined && options[negated]?.type === 'boolean')
    return { key: negated, value: 'false' }
  const suggestion = closest(name, Object.keys(options))
  const written = name.startsWith('-') ? name : `--${name}`
  throw invalid(`Unknown option ${written}.${suggestion ? ` Did you mean --${suggestion}?` : ''}`)
}

function positionalValues(parameters: Parameters, words: readonly string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const rest = [...words]
  for (const [name, parameter] of Object.entries(parameters)) {
    const own = rest.splice(0, parameter.array ? rest.length : 1)
    if (own.length === 0 && parameter.required) throw invalid(`Missing argument <${name}>.`)
    if (own.length > 0) values[name] = parseValues(name, own, parameter)
  }
  if (rest.length > 0) throw invalid(`Unexpected argument "${rest[0]}".`)
  return values
}

function optionValues(options: Parameters, given: ReadonlyMap<string, string[]>): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(options)) {
    const texts = given.get(name)
    if (texts && texts.length > 1 && !option.array) throw invalid(`Option --${name} was given more than once.`)
    values[name] = texts ? parseValues(`--${name}`, texts, option) : option.default
  }
  return values
}

function parseValues(label: string, texts: readonly string[], parameter: Parameter): unknown {
  const { array } = parameter
  const parts = array === 'commas' ? texts.flatMap((text) => text.split(',').map((part) => part.trim())) : texts
  if (array === 'commas' && parts.includes('')) throw invalid(`${label} contains an empty value.`)
  const values = parts.map((part) => parseValue(label, part, parameter))
  return array ? values : values[0]
}

function parseValue(label: string, text: string, { type, choices, min, max = MAX_INTEGER }: Parameter): unknown {
  switch (type) {
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw invalid(`${label} must be true or false, not "${text}".`)
      return text === 'true'
    case 'integer':
      return numberFrom(label, text, /^-?\d+$/, 'an integer', min ?? 1, max)
    case 'number':
      return numberFrom(label, text, /^-?\d+(\.\d+)?$/, 'a number', min ?? 0, max)
    case 'string':
      if (choices && !choices.includes(text))
        throw invalid(`${label} must be one of ${choices.join(', ')}, not "${text}".`)
      return text
  }
}

function numberFrom(label: string, text: string, pattern: RegExp, kind: string, min: number, max: number): number {
  const value = pattern.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw invalid(`${label} must be ${kind} from ${min} to ${max}, not "${text}".`)
}

const invalid = (message: string): AppError => new AppError('invalid_request', message)
