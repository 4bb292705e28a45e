/**
 * `npm run generate -- signal-weights [FOLDER [UNCERTAIN]]`: trains the headline classifier and the relevance check on
 * the labeled headlines of the repository, and on those in the folders if they are given (see `readStories`), and writes
 * their weights. Reports results on styles, authors or publications that are left out of training, and calibrates on
 * them. The stories in UNCERTAIN were chosen because an earlier model was uncertain about them, so they are used only
 * for training. The script never reads held-out sets. Deterministic.
 */

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ABOUT_THRESHOLD } from '../src/enrichment/signals/about/about-company.ts'
import { aboutProbability } from '../src/enrichment/signals/about/about-model.ts'
import { nameVariants } from '../src/enrichment/signals/about/company-names.ts'
import type { Model, StoryType } from '../src/enrichment/signals/classify/model.ts'
import { createModel, STORY_TYPES, typeProbabilities } from '../src/enrichment/signals/classify/model.ts'
import type { Network } from '../src/enrichment/signals/classify/network.ts'
import { encodeNetwork } from '../src/enrichment/signals/classify/network.ts'
import { maskNames } from '../src/enrichment/signals/mask-names.ts'
import type { AboutExample } from '../test/eval/about-training.ts'
import { inventedExample, publishedExamples, trainAboutWeights } from '../test/eval/about-training.ts'
import type { GoldAbout } from '../test/eval/gold-about.ts'
import { readGoldAbout } from '../test/eval/gold-about.ts'
import { readGoldHeadlines } from '../test/eval/gold-headlines.ts'
import type { GoldStory } from '../test/eval/gold-stories.ts'
import { aboutCases, maskCompanies, readStories } from '../test/eval/gold-stories.ts'
import { trainNetwork } from '../test/eval/network-training.ts'
import { outcomeOf, scoreCalibration, scoreTypes } from '../test/eval/signal-scores.ts'
import { chooseThresholds } from '../test/eval/signal-thresholds.ts'
import type { TrainingHeadline } from '../test/eval/signal-training.ts'
import { trainSignalWeights } from '../test/eval/signal-training.ts'

const GROUPS = 3
/** Share of correct signals that the thresholds reach on stories left out of training. */
const PRECISION = 0.91
const [folder, uncertainFolder] = process.argv.slice(2)
const published = folder === undefined ? [] : readStories(folder)
const uncertain = uncertainFolder === undefined ? [] : readStories(uncertainFolder)
const invented = readStories(fileURLToPath(new URL('../test/fixtures/training/invented-stories', import.meta.url)))
const authors = [...new Set(invented.map(({ source }) => source))].toSorted()
const publications = [...new Set(published.map(({ source }) => source))].toSorted()
const groupOf = (source: string): number =>
  (authors.includes(source) ? authors.indexOf(source) : publications.indexOf(source)) % GROUPS

trainAbout(trainTypes())

/** The final model, and the models of each group of publications that were trained without this group. */
interface Models {
  final: Model
  without: Model[]
}

function trainTypes(): Models {
  const styles: TrainingHeadline[][] = [
    [...readGoldHeadlines('train'), ...readGoldHeadlines('dev')],
    readGoldHeadlines('wire'),
    readGoldHeadlines('mixed'),
  ]
  const written = invented.map((story): TrainingHeadline => {
    const { type, headline, lead, source } = maskCompanies(story)
    return { type, headline, lead, author: source }
  })
  const real: GoldStory[] = published.map((story) => maskCompanies(story))
  const hard: GoldStory[] = uncertain.map((story) => maskCompanies(story))
  // The classifier is calibrated on styles, authors and publications that it was not trained on, as in production.
  const all = styles.map((style, group) => [
    ...style,
    ...written.filter(({ author = '' }) => groupOf(author) === group),
    ...real.filter(({ source }) => groupOf(source) === group),
  ])
  const without = all.map((unread, group) =>
    trainModel([
      ...all.filter((one) => one !== unread).flat(),
      ...hard.filter(({ source }) => groupOf(source) !== group),
    ]),
  )
  const predictions = all.flatMap((unread, group) => predict(unread, without[group] as Model))
  const ofHeadlines = predictions.filter(({ story }) => story.source === undefined && story.author === undefined)
  const ofStories = predictions.filter(({ story }) => story.author !== undefined)
  const ofPublished = predictions.filter(({ story }) => story.source !== undefined)
  const temperature = bestTemperature([ofHeadlines, ofStories, ofPublished].filter(({ length }) => length > 0))
  const measured = ofPublished.length > 0 ? [...ofStories, ...ofPublished] : ofHeadlines
  const thresholds = chooseThresholds(
    measured.map(({ story, probabilities }) => {
      const { type, confidence } = likeliest(soften(probabilities, temperature))
      return { gold: story.type, likeliest: type, confidence }
    }),
    PRECISION,
  )
  report('invented headlines', ofHeadlines, temperature, thresholds)
  report('invented stories', ofStories, temperature, thresholds)
  if (ofPublished.length > 0) report('published stories', ofPublished, temperature, thresholds)
  const final = trainModel([...styles.flat(), ...written, ...real, ...hard])
  const { weights, network } = final
  const calibrated = { ...weights, temperature, thresholds }
  write('../src/enrichment/signals/classify/weights.json', calibrated)
  writeFileSync(
    new URL('../src/enrichment/signals/classify/weights-network.json', import.meta.url),
    `${JSON.stringify(encodeNetwork(network as Network), null, 1)}\n`,
  )
  console.log(`types: ${Object.keys(weights.features).length} features, temperature ${temperature}`)
  return { final, without }
}

/** Prints results on headlines that are left out of training. */
function report(label: string, predictions: Prediction[], temperature: number, thresholds: number[]): void {
  const calibrated = predictions.map(({ story, probabilities }) => ({
    story,
    ...likeliest(soften(probabilities, temperature)),
  }))
  const shown = calibrated.filter(
    ({ type, confidence }) => type !== 'none' && confidence >= (thresholds[STORY_TYPES.indexOf(type)] as number),
  )
  const right = shown.filter(({ story, type }) => story.type === type).length
  const scores = scoreTypes(
    calibrated.map((one) => ({ gold: one.story.type, given: shown.includes(one) ? one.type : 'none' })),
  )
  const { ece } = scoreCalibration(
    calibrated.map(({ story, type, confidence }) => outcomeOf(story.type, { type, likeliest: type, confidence })),
  )
  console.log(
    `${predictions.length} ${label}, left out of training: macro-F1 ${scores.macroF1.toFixed(3)}, ` +
      `precision of signals ${(right / shown.length).toFixed(3)}, ECE ${ece.toFixed(3)}`,
  )
}

/** Trains with the types that are predicted for stories left out of training, as in production. */
function trainAbout({ final, without }: Models): void {
  const misleading = (['dev', 'namesakes-dev', 'kinds-dev', 'fresh-dev'] as const).flatMap((split) =>
    readGoldAbout(split).map((one) => inventedExample(one, typeFor(one, final))),
  )
  const examplesOf = (stories: GoldStory[]) =>
    aboutCases(stories).map((one, index) =>
      publishedExamples(one, index, typeFor(one, without[groupOf(one.source)] as Model)),
    )
  const cases = [...examplesOf(published), ...examplesOf(invented)]
  const more = examplesOf(uncertain)
  const isIn = (group: number) => (examples: AboutExample[]) => groupOf(examples[0]?.source ?? '') === group
  const judged = Array.from({ length: published.length > 0 ? GROUPS : 0 }, (_, group) => group).flatMap((group) => {
    const weights = trainAboutWeights([...misleading, ...[...cases, ...more].filter((one) => !isIn(group)(one)).flat()])
    return cases
      .filter(isIn(group))
      .flatMap(([own]) =>
        own ? { about: own.about, given: aboutProbability(weights, own.features) >= ABOUT_THRESHOLD } : [],
      )
  })
  const weights = trainAboutWeights([...misleading, ...cases.flat(), ...more.flat()])
  write('../src/enrichment/signals/about/weights.json', weights)
  const hits = judged.filter(({ about, given }) => about && given).length
  console.log(
    `relevance: ${misleading.length} misleading and ${cases.length} other cases, ` +
      `${Object.keys(weights.features).length} features` +
      (judged.length > 0
        ? `; left out of training: precision ${(hits / judged.filter(({ given }) => given).length).toFixed(3)}, ` +
          `recall ${(hits / judged.filter(({ about }) => about).length).toFixed(3)}`
        : ''),
  )
}

/** Returns the most likely type of a story in which only one company's names are masked. */
function typeFor({ story, company }: GoldAbout, model: Model): StoryType {
  return likeliest(typeProbabilities(model, maskNames(story, nameVariants(company.names)))).type
}

function trainModel(training: TrainingHeadline[]): Model {
  const weights = trainSignalWeights(training)
  return createModel(weights, trainNetwork(training, createModel(weights).known))
}

interface Prediction {
  story: TrainingHeadline
  probabilities: Map<StoryType, number>
}

function predict(stories: TrainingHeadline[], model: Model): Prediction[] {
  return stories.map((story) => ({ story, probabilities: typeProbabilities(model, story) }))
}

/** The temperature with the lowest log loss, in which each set has the same weight. */
function bestTemperature(sets: Prediction[][]): number {
  const candidates = Array.from({ length: 41 }, (_, step) => Number((0.5 + step * 0.05).toFixed(2)))
  const lossOf = ({ story, probabilities }: Prediction, candidate: number) =>
    -Math.log(soften(probabilities, candidate).get(story.type) ?? 1e-12)
  const loss = (candidate: number) =>
    sets.reduce(
      (total, set) => total + set.reduce((sum, prediction) => sum + lossOf(prediction, candidate), 0) / set.length,
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
function write(path: string, { features, ...rest }: { features: Record<string, unknown> }): void {
  const head = JSON.stringify(rest).slice(0, -1)
  const rows = Object.entries(features).map(([name, row]) => `${JSON.stringify(name)}:${JSON.stringify(row)}`)
  writeFileSync(new URL(path, import.meta.url), `${head},"features":{\n${rows.join(',\n')}\n}}\n`)
}
