import type { Pair, YAMLMap } from 'yaml'
import { isMap, isScalar, parseDocument } from 'yaml'
import { variableOf } from '../../src/config/environment.ts'

interface Setting {
  readonly path: readonly string[]
  readonly value: unknown
  readonly meaning: string
}

/** Documents the settings in a YAML file as Markdown: their variables, defaults and comments. */
export function documentSettings(yaml: string): string {
  const root = parseDocument(yaml).contents
  if (!isMap(root)) throw new Error('the settings are not a map')
  const groups = Map.groupBy(settingsOf(root, []), ({ path }) => (path.length > 1 ? (path[0] as string) : 'General'))
  const sections = [...groups].map(([name, settings]) => {
    const rows = settings.map(
      ({ path, value, meaning }) =>
        `| \`${path.join('.')}\`<br>\`${variableOf(path)}\` | \`${JSON.stringify(value)}\` | ${meaning} |`,
    )
    return [`## ${name}\n`, '| setting, variable | default | meaning |', '|---|---|---|', ...rows, ''].join('\n')
  })
  return `# Settings

All settings with their defaults. [Operations](operations.md#settings) describes where to set them, and which secrets are read from the
environment only.

${sections.join('\n')}`
}

function settingsOf(map: YAMLMap, parents: readonly string[], inherited = ''): Setting[] {
  return (map.items as Pair[]).flatMap(({ key, value }, index) => {
    if (!isScalar(key)) return []
    // The parser attaches the comment above a map's first key to the map.
    const comment = key.commentBefore ?? (index === 0 ? (map.commentBefore ?? '') : '')
    const path = [...parents, String(key.value)]
    // Only the last paragraph describes the setting. Earlier paragraphs describe the file or the section above.
    const meaning = (comment.split('\n\n').at(-1) ?? '')
      .replaceAll(/\s*\n\s*/g, ' ')
      .replaceAll('|', '\\|')
      .trim()
    if (isMap(value) && value.items.length > 0) return settingsOf(value, path, join(inherited, meaning))
    const plain = isScalar(value) ? value.value : (value as { toJSON(): unknown }).toJSON()
    return [{ path, value: plain, meaning: index === 0 ? join(inherited, meaning) : meaning }]
  })
}

const join = (first: string, second: string): string => [first, second].filter(Boolean).join(' ')
