import { expect, test } from 'vitest'
import { nameVariants } from '../../../../src/enrichment/signals/about/company-names.ts'
import { classifyStory } from '../../../../src/enrichment/signals/classify/classify.ts'
import { maskNames } from '../../../../src/enrichment/signals/mask-names.ts'

const mask = (name: string, headline: string) => maskNames({ headline }, nameVariants([name])).headline.trim()

test.each([
  ['Launch Harbor Partners LLC', 'Launch Harbor Partners opens Boise office', '#name  opens Boise office'],
  ['Kessel & Vane LLP', 'Six lawyers join Kessel and Vane', 'Six lawyers join  #name'],
  ['Zephyr Airworks', 'Regulator certifies Zephyr Airworks’ trainer', 'Regulator certifies  #name ’ trainer'],
])('masks the names of %s', (name, headline, masked) => {
  expect(mask(name, headline)).toBe(masked)
})

test('masks names in capitals, with a legal form, or before an apostrophe', () => {
  expect(mask('Zylo (Holdings) Ltd.', 'ZYLO hires')).toBe('#name  hires')
  expect(mask('Nobody', 'Somebody is named')).toBe('Somebody is named')
})

test('does not mask a name of one common word, or a longer word that starts with a name', () => {
  expect(mask('Summit', 'Leaders gather for summit')).toBe('Leaders gather for summit')
  expect(mask('Osmo', 'Osmosis explained')).toBe('Osmosis explained')
})

test('prevents the company name from deciding the signal type', () => {
  const headline = 'Award Recruiting Alliance appoints Dana Cole chief financial officer'
  const masked = maskNames({ headline }, nameVariants(['Award Recruiting Alliance']))
  expect(classifyStory(masked).type).toBe('Leadership Change')
})
