import { expect, test } from 'vitest'
import { baseForm } from '../../../../../src/enrichment/signals/text/base-form.ts'
import { readSymbols } from '../../../../../src/enrichment/signals/text/symbols.ts'
import { tokenize } from '../../../../../src/enrichment/signals/text/tokens.ts'

test.each([
  ['raises', 'raising'],
  ['opens', 'opened'],
  ['companies', 'company'],
  ['launches', 'launching'],
  ['planned', 'planning'],
  ['merges', 'merged'],
])('gives %s and %s the same base form', (one, other) => {
  expect(baseForm(one)).toBe(baseForm(other))
})

test.each([
  ['international', 'intern'],
  ['us', 'uses'],
  ['major', 'majority'],
  ['reports', 'reporters'],
  ['news', 'new'],
  ['care', 'car'],
  ['financial', 'financier'],
])('gives %s and %s different base forms', (one, other) => {
  expect(baseForm(one)).not.toBe(baseForm(other))
})

test.each([
  ['Acme Opens in the US', 'PLACE'],
  ['Acme Gives It All', null],
  ['Acme Holdings Inc. Thanks Its Guests', null],
])('matches a word class only where the word has that meaning: %s', (headline, symbol) => {
  const { symbols } = readSymbols(tokenize(headline), new Set())
  if (symbol) expect(symbols).toContain(symbol)
  for (const wrong of ['TECH', 'RANKER', 'ADOPT']) expect(symbols).not.toContain(wrong)
})
