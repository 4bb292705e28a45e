import type { Command } from './command.ts'
import type { ExitCode } from './exit-codes.ts'

/** A positional argument or an option; optional unless `required` is true. */
export interface Parameter {
  /** Numbers below `min` or above `max` are rejected. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean'
  readonly describe?: string
  readonly required?: boolean
  /** If set, the parameter accepts several values; with `commas`, an argument can be a comma-separated list. */
  readonly array?: true | 'commas'
  readonly choices?: readonly string[]
  /** Values that the shell completes: pipeline names, client IDs, or the names of warehouse tables and views. */
  readonly completes?: 'pipelines' | 'clients' | 'views'
  readonly default?: string | number | boolean | readonly string[]
  /** @default 1 for integers, 0 for numbers */
  readonly min?: number
  /** @default the largest 32-bit integer */
  readonly max?: number
}

export type Parameters = Readonly<Record<string, Parameter>>

interface Types {
  string: string
  integer: number
  number: number
  boolean: boolean
}
type One<P extends Parameter> = P extends { choices: readonly (infer Choice)[] } ? Choice : Types[P['type']]
type Many<P extends Parameter> = P['array'] extends true | 'commas' ? One<P>[] : One<P>
type Value<P extends Parameter> = P['required'] extends true
  ? Many<P>
  : 'default' extends keyof P
    ? Many<P>
    : Many<P> | undefined

/** The parsed values of a command's parameters. */
export type Values<P extends Parameters> = { [Name in keyof P]: Value<P[Name]> }

/** Runs a command. Returns an exit code, or undefined for success. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without an exit code has no return statement
export type Handler<Args = object> = (command: Command, args: Args) => Promise<ExitCode | void>

/** One command: its definition for help and completion, and a function that imports its implementation. */
export interface Definition {
  readonly name: string
  readonly describe: string
  readonly positionals: Parameters
  readonly options: Parameters
  readonly examples: readonly (readonly [commandLine: string, describe: string])[]
  /**
   * True if the command may create the embedded server's databases. Other commands must not create databases, because
   * they would show an empty warehouse if they were run in the wrong folder.
   */
  readonly createsDatabases: boolean
  /** Printed after the options; loaded only for help. */
  readonly epilogue: (() => Promise<string>) | undefined
  /** Imports the implementation; not called for help and completion. */
  readonly load: () => Promise<Handler<never>>
}

/** Commands with a common first word, such as `talhouse units ...`. */
export interface Group {
  readonly name: string
  readonly describe: string
  readonly commands: readonly Definition[]
}

type NoParameters = Readonly<Record<never, Parameter>>

/** Defines a command. The compiler checks the handler's arguments against the parameters. */
export function command<const P extends Parameters = NoParameters, const O extends Parameters = NoParameters>(given: {
  name: string
  describe: string
  positionals?: P
  options?: O
  examples?: Definition['examples']
  /** @default false */
  createsDatabases?: boolean
  epilogue?: Definition['epilogue']
  load: () => Promise<Handler<Values<P> & Values<O>>>
}): Definition {
  return { positionals: {}, options: {}, examples: [], createsDatabases: false, epilogue: undefined, ...given }
}
