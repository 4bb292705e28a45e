import { readFileSync } from 'node:fs'

/** A line of a Dockerfile, such as `RUN npm ci`. */
export interface Instruction {
  /** In capitals. */
  readonly name: string
  /** Options such as `--from=install`, by name. */
  readonly options: Readonly<Record<string, string>>
  readonly text: string
}

export interface Stage {
  /** The base image. */
  readonly image: string
  readonly name: string | undefined
  readonly instructions: readonly Instruction[]
}

/** Splits a Dockerfile into its stages. Continued lines are joined, and comments are skipped. */
export function readDockerfile(path: string): Stage[] {
  const lines = readFileSync(path, 'utf8')
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: (Stage & { instructions: Instruction[] })[] = []
  for (const instruction of lines.map(parse))
    if (instruction.name === 'FROM') {
      const [image = '', , name] = instruction.text.split(/\s+/)
      stages.push({ image, name, instructions: [] })
    } else stages.at(-1)?.instructions.push(instruction)
  return stages
}

function parse(line: string): Instruction {
  const [, name = '', flags = '', text = ''] = /^(\w+)\s+((?:--\S+\s+)*)(.*)$/.exec(line.trim()) ?? []
  const options = [...flags.matchAll(/--([\w-]+)=(\S+)/g)].map(([, key, value]) => [key, value])
  return { name: name.toUpperCase(), options: Object.fromEntries(options), text: text.trim() }
}

/** Parses the array in `ENTRYPOINT ["talhouse"]`. Throws if the instruction uses the shell form. */
export const execForm = (text: string): string[] => JSON.parse(text) as string[]

/** Parses the pairs in `ENV A=b C="d e"`. */
export const pairsOf = (text: string): [string, string][] =>
  [...text.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)].map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? ''])
