import { PIPELINES } from '../../../pipelines/registry.ts'

/** Lists the pipelines with their descriptions, for `talhouse run --help`. */
export function listPipelines(): string {
  const width = Math.max(...PIPELINES.map(({ name }) => name.length))
  return `Pipelines:\n${PIPELINES.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}`).join('\n')}`
}
