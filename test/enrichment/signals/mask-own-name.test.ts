import { expect, it } from 'vitest'
import { ownNameMask } from '../../../src/enrichment/signals/mask-own-name.ts'

it.each([
  ['Acme Equity Partners opens an office', ['Acme Equity Partners', 'Acme'], 'Ownco opens an office'],
  ['ACME (Holdings) Ltd. hires', ['Acme (Holdings) Ltd.'], 'Ownco hires'],
  ['Acme’s fund and Acmeville', ['Acme'], 'Ownco’s fund and Acmeville'],
  ['Arc opens', ['Arc'], 'Arc opens'],
  ['Nobody is named', [], 'Nobody is named'],
])('reads "%s" without the names of its company', (headline, names, masked) => {
  expect(ownNameMask(names)(headline)).toBe(masked)
})
