import { expect, test } from 'vitest'
import type { AboutExample } from '../../../../eval/about-training.ts'
import { publishedExamples, trainAboutWeights } from '../../../../eval/about-training.ts'

const example = (source: string | null, about: boolean, ...features: string[]): AboutExample => ({
  source,
  about,
  features,
  weight: 1,
})

test('learns features that occur in three publications or in two invented stories', () => {
  const { features } = trainAboutWeights([
    example('a', true, 'everywhere', 'local'),
    example('b', true, 'everywhere', 'local'),
    example('c', true, 'everywhere'),
    example(null, false, 'invented', 'once'),
    example(null, false, 'invented'),
  ])
  const signs = Object.entries(features).map(([name, weight]) => [name, Math.sign(weight)])
  expect(signs).toEqual([
    ['everywhere', 1],
    ['invented', -1],
  ])
})

test('adds a company with a similar name as another company', () => {
  const examples = publishedExamples(
    {
      source: 'a',
      about: true,
      kind: '',
      company: { domain: 'halden.example', names: ['Halden Freight'] },
      story: { url: 'https://news.example/a', headline: 'Halden Freight opens depot', lead: null, date: null },
    },
    0,
    'Expansion',
  )
  expect(examples.map(({ about }) => about)).toEqual([true, false])
})
