import { KEYWORDS } from './completions.ts'

const TOKEN = /(--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|('(?:[^']|'')*(?:'|$))|\b(\d+(?:\.\d+)?)\b|\b([a-z_]\w*)\b/gi
const KINDS = ['comment', 'string', 'number', 'word'] as const
const WORDS = new Set(KEYWORDS)

export interface Token {
  kind: 'comment' | 'string' | 'number' | 'keyword' | undefined
  text: string
}

/** Splits the text into pieces to highlight. The concatenated pieces equal the text. */
export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = []
  let end = 0
  for (const match of sql.matchAll(TOKEN)) {
    const kind = KINDS[match.slice(1).findIndex((part) => part !== undefined)]
    if (kind === undefined || (kind === 'word' && !WORDS.has(match[0].toLowerCase()))) continue
    if (match.index > end) tokens.push({ kind: undefined, text: sql.slice(end, match.index) })
    tokens.push({ kind: kind === 'word' ? 'keyword' : kind, text: match[0] })
    end = match.index + match[0].length
  }
  tokens.push({ kind: undefined, text: sql.slice(end) })
  return tokens
}
