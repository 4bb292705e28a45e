import type { Definition, Group, Parameter, Parameters } from './definition.ts'
import { fitColumns, wrapText } from './fit-columns.ts'
import { GLOBAL_OPTIONS } from './parameters.ts'

type Entry = Definition | Group

const ABOUT = 'Self-hosted company and person enrichment with a synchronized PostgreSQL warehouse.'

/** Formats the help for the program, a group or a command. */
export async function helpText(
  entries: readonly Entry[],
  path: readonly string[],
  entry: Entry | undefined,
  width: number,
): Promise<string> {
  const name = ['talhouse', ...path].join(' ')
  const sections =
    entry === undefined || 'commands' in entry
      ? commandList(name, entry?.commands ?? entries, width)
      : await commandHelp(name, entry, width)
  return [wrapText(entry?.describe ?? ABOUT, width), ...sections].join('\n\n')
}

const commandList = (name: string, entries: readonly Entry[], width: number): string[] => [
  section('Usage', `  ${name} <command> [options]`),
  section(
    'Commands',
    fitColumns(
      entries.map((entry) => [usage(entry), entry.describe]),
      width,
    ),
  ),
  section('Options', optionRows({ ...GLOBAL_OPTIONS, ...(name === 'talhouse' && { version: VERSION }) }, width)),
  `Run "${name} <command> --help" for details of a command.`,
]

async function commandHelp(name: string, definition: Definition, width: number): Promise<string[]> {
  const { positionals, options, examples, epilogue } = definition
  const parameters = Object.entries(positionals).map((each) => ` ${placeholder(each)}`)
  return [
    section('Usage', `  ${name}${parameters.join('')} [options]`),
    ...(parameters.length > 0
      ? [
          section(
            'Arguments',
            parameterRows(positionals, (key) => key, width),
          ),
        ]
      : []),
    section('Options', optionRows({ ...options, ...GLOBAL_OPTIONS }, width)),
    ...(examples.length > 0
      ? [section('Examples', examples.flatMap(([line, about]) => [`  # ${about}`, `  talhouse ${line}`]).join('\n'))]
      : []),
    ...(epilogue ? [await epilogue()] : []),
  ]
}

const section = (title: string, text: string): string => `${title}:\n${text}`

const VERSION = { type: 'boolean', describe: 'Print the version' } as const
const HELP = { type: 'boolean', describe: 'Print this help' } as const

const usage = (entry: Entry): string =>
  'commands' in entry
    ? `${entry.name} <command>`
    : [entry.name, ...Object.entries(entry.positionals).map(placeholder)].join(' ')

/** Formats an argument as `<files...>`, `<id>` or `[id]`. */
function placeholder([name, { required, array }]: [string, Parameter]): string {
  const text = array ? `${name}...` : name
  return required ? `<${text}>` : `[${text}]`
}

const optionRows = (options: Parameters, width: number): string =>
  parameterRows(
    { ...options, help: HELP },
    (name, { type, choices }) =>
      type === 'boolean' ? `--${name}` : `--${name} <${choices ? choices.join('|') : type}>`,
    width,
  )

const parameterRows = (
  parameters: Parameters,
  label: (name: string, parameter: Parameter) => string,
  width: number,
): string =>
  fitColumns(
    Object.entries(parameters).map(([name, parameter]) => [label(name, parameter), describe(parameter)]),
    width,
  )

/** The description with the default and, for an argument, the accepted values. */
function describe({ describe: text = '', choices, required, array, default: initial }: Parameter): string {
  const notes = [
    ...(choices && required ? [`one of ${choices.join(', ')}`] : []),
    ...(array && !required ? [array === 'commas' ? 'comma-separated' : 'repeatable'] : []),
    ...(initial === undefined || initial === false || (Array.isArray(initial) && initial.length === 0)
      ? []
      : [`default: ${Array.isArray(initial) ? initial.join(',') : String(initial)}`]),
  ]
  return notes.length > 0 ? `${text} (${notes.join('; ')})` : text
}
