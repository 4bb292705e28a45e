import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SIGNAL_TYPES } from '../../../../../src/contract/companies.ts'
import { classifyStory } from '../../../../../src/enrichment/signals/classify/classify.ts'
import { createModel } from '../../../../../src/enrichment/signals/classify/model.ts'
import { readGoldHeadlines, TRAINING_SPLITS } from '../../../../eval/gold-headlines.ts'
import { classifyByKeyword } from '../../../../eval/keyword-baseline.ts'
import { outcomeOf, scoreCalibration, scoreTypes } from '../../../../eval/signal-scores.ts'
import { trainSignalWeights } from '../../../../eval/signal-training.ts'

const gold = readGoldHeadlines('held-out')
const answers = gold.map((story) => ({ gold: story.type, ...classifyStory(story) }))
const scores = scoreTypes(answers.map(({ gold, type }) => ({ gold, given: type })))

test('classifies unseen headlines with the required macro-F1 over the ten types and `none`', () => {
  expect(scores.macroF1).toBeGreaterThanOrEqual(0.8)
})

test.each(SIGNAL_TYPES)('keeps the precision of %s at the default threshold', (type) => {
  const score = scores.types.find((one) => one.type === type)
  expect(score?.precision).toBeGreaterThanOrEqual(0.85)
  expect(score?.support).toBeGreaterThanOrEqual(50)
})

test('classifies headlines better than the keyword baseline', () => {
  const keywords = scoreTypes(gold.map((story) => ({ gold: story.type, given: classifyByKeyword(story.headline) })))
  expect(scores.macroF1).toBeGreaterThan(keywords.macroF1 + 0.25)
})

test('returns calibrated confidences of signal types', () => {
  expect(scoreCalibration(answers.map((answer) => outcomeOf(answer.gold, answer))).ece).toBeLessThan(0.08)
})

test('has no headline in two splits of the gold set', () => {
  const plain = (headline: string) =>
    headline
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
  const all = [...TRAINING_SPLITS, 'held-out' as const].flatMap((split) => readGoldHeadlines(split))
  expect(new Set(all.map((story) => plain(story.headline))).size).toBe(all.length)
  expect(all.length).toBeGreaterThan(2500)
})

test.each([
  ['Acquisition', 'Private equity firm takes majority stake in Denver adviser'],
  ['Technology', 'Larchwood selects Orion as its portfolio accounting platform'],
  ['Hiring', 'Four-person team with $900 million leaves Merrill for Larchwood'],
  ['Leadership Change', 'Larchwood names Ana Bell chief executive as founder retires'],
  ['Award', 'Larchwood founder named to Barron’s Top 100'],
  ['Funding', 'Larchwood Labs awarded $2 million grant for soil research'],
  ['Regulatory', 'SEC fines Larchwood $2 million over misleading adverts'],
  ['none', 'Larchwood third quarter earnings beat forecasts'],
  ['none', 'Webinar: five questions to ask before you sell your firm'],
] as const)('determines the type %s by the main event: %s', (type, headline) => {
  expect(classifyStory({ headline }).type).toBe(type)
})

test('considers a minority stake most likely funding, with a confidence below the threshold if it is indirect', () => {
  const headline = 'Private equity firm takes minority stake in Denver adviser, founders keep control'
  expect(classifyStory({ headline })).toMatchObject({ type: 'none', likeliest: 'Funding' })
  expect(classifyStory({ headline: 'Growth fund takes 20% stake in Leeds software firm' }).type).toBe('Funding')
})

test('uses the lead when the headline is ambiguous', () => {
  const headline = 'A new chapter for Larchwood'
  expect(classifyStory({ headline }).type).toBe('none')
  expect(
    classifyStory({ headline, lead: 'Larchwood has been acquired by Deepwell. Its founders will join the buyer.' })
      .type,
  ).toBe('Acquisition')
})

test.each([
  '',
  ' ',
  '?!',
  '中文標題',
  '#money #money',
  'a'.repeat(20_000),
])('returns a valid type and confidence for %.20s', (headline) => {
  const { confidence } = classifyStory({ headline })
  expect(confidence).toBeGreaterThan(0)
  expect(confidence).toBeLessThanOrEqual(1)
})

test('trains the same weights from the same fixtures', () => {
  const some = readGoldHeadlines('train').filter((_, index) => index % 8 === 0)
  const train = () => trainSignalWeights(some)
  expect(JSON.stringify(train())).toBe(JSON.stringify(train()))
})

test('learns no wording that occurs in fewer than three publications', () => {
  const invented = readGoldHeadlines('train').filter((_, index) => index % 16 === 0)
  const published = ['a', 'b', 'c'].map((source, index) => ({
    type: 'Funding' as const,
    headline: `Bank lends to quarry ${index < 2 ? 'of zirconium' : 'of quartzite'} by moonlight`,
    lead: null,
    source,
  }))
  const learned = Object.keys(trainSignalWeights([...invented, ...published]).features).join(' ')
  expect(learned).toContain('w=moonlight')
  expect(learned).not.toMatch(/zirconium|quartzit/)
})

test('classifies headlines with another model', () => {
  const text = readFileSync(
    new URL('../../../../../src/enrichment/signals/classify/weights.json', import.meta.url),
    'utf8',
  )
  const weights = JSON.parse(text) as Parameters<typeof createModel>[0]
  const mute = createModel({ ...weights, features: {}, bias: weights.bias.map(() => 0) })
  expect(classifyStory({ headline: 'Larchwood raises $9M' }, { model: mute }).type).toBe('none')
})
