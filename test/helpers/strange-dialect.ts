/** The names and terms in a host's responses. Keys are the interface's names and terms. */
export interface Dialect {
  /** Names of fields, by the list or group that contains the records. */
  names: Partial<Record<keyof typeof GROUPS, Record<string, string> | 'camelCase'>>
  words?: Record<string, string>
  times?: 'seconds' | 'milliseconds' | 'offset' | 'http'
  /** Unknown fields added to each record. */
  more?: Record<string, unknown>
}

type Fields = Record<string, unknown>

/** The lists and groups in responses, by record kind. */
const GROUPS = {
  company: ['companies'],
  person: ['persons', 'leadership'],
  signal: ['signals'],
  event: ['events'],
} as const
type Kind = keyof typeof GROUPS

const KIND_OF = new Map<string, Kind>(
  Object.entries(GROUPS).flatMap(([kind, groups]) => groups.map((group): [string, Kind] => [group, kind as Kind])),
)
/** Fields that the interface defines: `domain`, which identifies a company, and fields of a task. */
const FIXED = new Set(['domain', 'id', 'task_type', 'progress'])
const TIMES = /(_at|^changed_at)$/

/** Translates a whole response: a company's record, a list of records, or a task. */
export function speak(dialect: Dialect, content: unknown): unknown {
  if (!isFields(content)) return content
  if ('domain' in content) return record(dialect, 'company', content)
  if ('task_type' in content) return task(dialect, content)
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => {
      const kind = KIND_OF.get(name)
      if (name === 'tasks' && Array.isArray(value)) return [name, value.map((each) => task(dialect, each as Fields))]
      return [name, kind && Array.isArray(value) ? value.map((each) => record(dialect, kind, each)) : value]
    }),
  )
}

function task(dialect: Dialect, fields: Fields): Fields {
  return { ...fields, status: word(dialect, fields['status']), created_at: time(dialect, fields['created_at']) }
}

function record(dialect: Dialect, kind: Kind, given: unknown): unknown {
  if (!isFields(given)) return given
  const names = dialect.names[kind] ?? {}
  const spoken = Object.entries(given).map(([name, value]): [string, unknown] => {
    const inner = KIND_OF.get(name)
    const said =
      FIXED.has(name) && kind !== 'event' ? name : names === 'camelCase' ? camelCase(name) : (names[name] ?? name)
    if (inner && Array.isArray(value)) return [name, value.map((each) => record(dialect, inner, each))]
    if (TIMES.test(name)) return [said, time(dialect, value)]
    return [said, name === 'enrichment_status' ? word(dialect, value) : value]
  })
  return { ...Object.fromEntries(spoken), ...dialect.more }
}

const word = ({ words = {} }: Dialect, value: unknown): unknown =>
  typeof value === 'string' ? (words[value] ?? value) : value

function time({ times }: Dialect, value: unknown): unknown {
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) return value
  const moment = Date.parse(value)
  if (times === 'seconds') return moment / 1000
  if (times === 'milliseconds') return moment
  if (times === 'offset') return new Date(moment + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
  // HTTP dates have a resolution of one second.
  return times === 'http' && moment % 1000 === 0 ? new Date(moment).toUTCString() : value
}

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
