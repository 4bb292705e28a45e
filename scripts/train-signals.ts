/**
 * `npm run generate -- signal-weights`: trains the headline classifier and writes its weights. Reports five-fold
 * cross-validation, calibrates across styles, then trains on all training splits. The script never reads the held-out
 * set. Deterministic.
 */

import { writeFileSync } from 'node:fs'
import { mulberry32 } from '../src/demo/seeded-random.ts'
import { classifyStory } from '../src/enrichment/signals/classify/classify.ts'
import type { StoryType } from '../src/enrichment/signals/classify/model.ts'
import { createModel, typeProbabilities } from '../src/enrichment/signals/classify/model.ts'
import type { GoldHeadline } from '../test/eval/gold-headlines.ts'
import { readGoldHeadlines, TRAINING_SPLITS } from '../test/eval/gold-headlines.ts'
import { outcomeOf, scoreCalibration, scoreTypes } from '../test/eval/signal-scores.ts'
import { trainSignalWeights } from '../test/eval/signal-training.ts'
import { shuffle } from '../test/helpers/shuffle.ts'

const SEED = 20_261_121
const FOLDS = 5
const TARGET = new URL('../src/enrichment/signals/classify/weights.json', import.meta.url)

const gold = shuffle(
  TRAINING_SPLITS.flatMap((split) => readGoldHeadlines(split)),
  mulberry32(SEED),
)
const unseen = Array.from({ length: FOLDS }, (_, fold) => predictFold(fold)).flat()
// The temperature is calibrated on styles that the model was not trained on, as in production.
const temperature = bestTemperature(predictOtherStyle())
const calibrated = unseen.map(({ story, probabilities }) => ({
  story,
  ...likeliest(soften(probabilities, temperature)),
}))
const scores = scoreTypes(calibrated.map(({ story, type }) => ({ gold: story.type, given: type })))
const { ece } = scoreCalibration(
  calibrated.map(({ story, type, confidence }) => outcomeOf(story.type, { type, likeliest: type, confidence })),
)
const weights = { ...trainSignalWeights(gold), temperature }
writeFileSync(TARGET, serialize(weights))
const model = createModel(weights)
const fit =
  gold.filter((story) => classifyStory(story, { model, threshold: 0 }).type === story.type).length / gold.length
console.log(
  `${gold.length} headlines, ${Object.keys(weights.features).length} features, temperature ${temperature}\n` +
    `cross-validated: accuracy ${scores.accuracy.toFixed(3)}, macro-F1 ${scores.macroF1.toFixed(3)}, ECE ${ece.toFixed(3)}; fit to its own data ${fit.toFixed(3)}`,
)

interface Prediction {
  story: GoldHeadline
  probabilities: Map<StoryType, number>
}

function predictFold(fold: number): Prediction[] {
  const model = createModel(trainSignalWeights(gold.filter((_, index) => index % FOLDS !== fold)))
  return gold
    .filter((_, index) => index % FOLDS === fold)
    .map((story) => ({ story, probabilities: typeProbabilities(model, story) }))
}

/** Classifies the headlines of each style with a model trained on the other styles. */
function predictOtherStyle(): Prediction[] {
  const styles = [
    [...readGoldHeadlines('train'), ...readGoldHeadlines('dev')],
    readGoldHeadlines('wire'),
    readGoldHeadlines('mixed'),
  ]
  return styles.flatMap((unread) => {
    const model = createModel(trainSignalWeights(styles.filter((style) => style !== unread).flat()))
    return unread.map((story) => ({ story, probabilities: typeProbabilities(model, story) }))
  })
}

/** The temperature with the lowest log loss. */
function bestTemperature(predictions: Prediction[]): number {
  const candidates = Array.from({ length: 41 }, (_, step) => Number((0.5 + step * 0.05).toFixed(2)))
  const loss = (candidate: number) =>
    predictions.reduce(
      (sum, { story, probabilities }) => sum - Math.log(soften(probabilities, candidate).get(story.type) ?? 1e-12),
      0,
    )
  return candidates.reduce((best, candidate) => (loss(candidate) < loss(best) ? candidate : best))
}

function soften(probabilities: Map<StoryType, number>, temperature: number): Map<StoryType, number> {
  const powers = [...probabilities].map(([type, value]) => [type, value ** (1 / temperature)] as const)
  const sum = powers.reduce((total, [, value]) => total + value, 0)
  return new Map(powers.map(([type, value]) => [type, value / sum]))
}

function likeliest(probabilities: Map<StoryType, number>): { type: StoryType; confidence: number } {
  const [type, confidence] = [...probabilities].reduce((best, one) => (one[1] > best[1] ? one : best))
  return { type, confidence }
}

/** Writes one line per feature, so that diffs are readable. */
function serialize({ features, ...rest }: typeof weights): string {
  const head = JSON.stringify(rest).slice(0, -1)
  const rows = Object.entries(features).map(([name, row]) => `${JSON.stringify(name)}:${JSON.stringify(row)}`)
  return `${head},"features":{\n${rows.join(',\n')}\n}}\n`
}
