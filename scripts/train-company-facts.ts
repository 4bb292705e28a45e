/**
 * `npm run generate -- company-facts [--measure [SETS]]`: trains the models that decide which candidates are company facts,
 * and the model that ranks phrases for the industry, and writes their weights. Candidates come from the gold sites and
 * pages that may be used for training, and from the sentences in `test/fixtures/training/company-facts.tsv`. `--measure`
 * instead leaves out one sixth of the sets of gold sites after another, and prints the results for the sets left out.
 * SETS is the start of their names, such as `independent-8`. Deterministic.
 */
import { writeFileSync } from 'node:fs'
import type { Decide, Decision, DecisionWeights } from '../src/enrichment/company/facts/decide.ts'
import { BUCKETS, createDecide, DECISIONS, rowsOf } from '../src/enrichment/company/facts/decide.ts'
import type { FactModels } from '../src/enrichment/company/facts/read-facts.ts'
import { readFacts } from '../src/enrichment/company/facts/read-facts.ts'
import { statedNames } from '../src/enrichment/company/organization.ts'
import { parsePage } from '../src/enrichment/extract/page.ts'
import { structuredDataOf } from '../src/enrichment/extract/structured-data.ts'
import type { Observation } from '../src/findings/provider.ts'
import { CALIBRATION_HEADING, calibrationRow } from '../test/eval/calibration-row.ts'
import type { GoldSite } from '../test/eval/gold-sites.ts'
import { LEARN, readSites } from '../test/eval/gold-sites.ts'
import { printRows, printTable } from '../test/eval/print-table.ts'
import { Score } from '../test/eval/site-scores.ts'
import type { Choice } from './training/choices.ts'
import { trainChoices } from './training/choices.ts'
import { companyFactExamples, NOW, nameExamples } from './training/company-fact-examples.ts'
import type { Labeled } from './training/labeled.ts'
import { rankingExamples, trainRanking } from './training/phrase-ranking.ts'

const ITERATIONS = 150
/** Strength of the L2 regularization, chosen on sites left out of training. */
const L2: Record<Decision, number> = {
  name: 1,
  founding: 0.5,
  staff: 0.5,
  'legal-name': 0.05,
  phone: 0.25,
  address: 0.25,
  industry: 0.05,
}

function train(examples: readonly Labeled[], decision: Decision): { step: number; weights: string } {
  const own = examples.filter((one) => one.decision === decision)
  const choices = [...Map.groupBy(own, ({ group }) => group).values()].map(
    (group): Choice => ({
      weight: group[0]?.weight ?? 0,
      options: group.map(({ features, isFact, times = 1 }) => {
        const found = rowsOf(decision, features)
        return {
          indices: Int32Array.from(found, ([row]) => row),
          values: Float64Array.from(found, ([, value]) => value),
          isRight: isFact,
          times,
        }
      }),
    }),
  )
  const weights = trainChoices(choices, { features: BUCKETS, l2: L2[decision], iterations: ITERATIONS })
  const step = weights.reduce((most, one) => Math.max(most, Math.abs(one)), 0) / 127
  return {
    step,
    weights: Buffer.from(Int8Array.from(weights, (one) => Math.round(one / step)).buffer).toString('base64'),
  }
}

const trainAll = (examples: readonly Labeled[], decisions: readonly Decision[] = DECISIONS): Partial<DecisionWeights> =>
  Object.fromEntries(decisions.map((decision) => [decision, train(examples, decision)]))

/** Number of parts of which one after another is left out of training. All sites of a set are in the same part. */
const FOLDS = 6

/** Returns the fold of a group: that of its set of gold sites, and every n-th handwritten site; -1 for other groups. */
function foldOf(group: string): number {
  const [kind = '', at] = group.split(' ')
  if (kind === 'described') return Number(at) % FOLDS
  const set = (LEARN as readonly string[]).indexOf(kind)
  return set < 0 ? -1 : set % FOLDS
}

/** Trains the decisions without one fold after another. */
const trainFolds = (examples: readonly Labeled[], decisions?: readonly Decision[]): Decide[] =>
  Array.from({ length: FOLDS }, (_, fold) =>
    createDecide(
      trainAll(
        examples.filter(({ group }) => foldOf(group) !== fold),
        decisions,
      ),
    ),
  )

/** Decisions that other models depend on. */
const IN_FOLDS: readonly Decision[] = ['name', 'industry']

/** Trains without one part of the sets of sites after another, and prints the facts read on the sites left out. */
function measure(examples: readonly Labeled[], sets: string): void {
  const total = new Score()
  const decides = trainFolds(examples, IN_FOLDS)
  const ranking = rankingExamples(decideOf(decides, decides[0] as Decide))
  LEARN.forEach((half, set) => {
    if (!half.startsWith(sets)) return
    const fold = set % FOLDS
    const others = createDecide(
      trainAll(
        examples.filter(({ group }) => foldOf(group) !== fold),
        DECISIONS.filter((one) => !IN_FOLDS.includes(one)),
      ),
    )
    const models: FactModels = {
      decide: Object.assign(
        (...[decision, candidates]: Parameters<Decide>) =>
          (IN_FOLDS.includes(decision) ? (decides[fold] as Decide) : others)(decision, candidates),
        { sidesOf: (decides[fold] as Decide).sidesOf },
      ),
      trees: trainRanking(ranking.filter(({ group }) => foldOf(group) !== fold)),
    }
    const score = new Score()
    for (const site of readSites(half)) {
      const facts = factsOf(site, models)
      for (const one of [score, total]) one.add({ ...site, people: [] }, { observations: facts, people: [] })
    }
    printTable(`${half}, left out of training`, score.fields)
    console.log(score.differences.map((line) => `    ${line}`).join('\n'))
  })
  printTable('These sets, each left out of training', total.fields)
  printRows(
    CALIBRATION_HEADING,
    [...Map.groupBy(total.answers.facts, ({ field }) => field)].map(([field, answers]) =>
      calibrationRow(field, answers),
    ),
  )
}

/** Reads all pages of a site, without its structured data. */
function factsOf({ domain, pages }: GoldSite, models: FactModels): Observation[] {
  const parsed = Object.entries(pages).map(([path, html]) => ({
    page: parsePage(html, `https://${domain}${path}`),
    html,
  }))
  const items = parsed.flatMap(({ page, html }) => structuredDataOf(page, html))
  const read = readFacts(
    parsed.map(({ page }) => page),
    domain,
    statedNames(items, domain),
    NOW,
    models,
  )
  return read.map(
    ({ field, value, confidence }) =>
      ({
        field,
        value,
        confidence,
        source: 'website',
        method: 'text',
        url: '',
        observed_at: NOW.toISOString(),
      }) as Observation,
  )
}

/** Returns the models of the fold that does not contain a group. Invented pages are in no fold. */
const decideOf =
  (decides: readonly Decide[], all: Decide) =>
  (group: string): Decide =>
    decides[foldOf(group)] ?? all

const names = nameExamples()
const decideNames = decideOf(trainFolds(names, ['name']), createDecide(trainAll(names, ['name'])))
const examples = [...names, ...companyFactExamples(decideNames)]
console.log(`${examples.length} candidates, ${examples.filter(({ isFact }) => isFact).length} facts`)
const measured = process.argv.indexOf('--measure')
if (measured >= 0) measure(examples, process.argv[measured + 1] ?? '')
else {
  const decides = trainFolds(examples, IN_FOLDS)
  const write = (file: string, text: string): void =>
    writeFileSync(new URL(`../src/enrichment/company/facts/${file}`, import.meta.url), `${text}\n`)
  write('weights.json', JSON.stringify(trainAll(examples), null, 2))
  write('weights-phrases.json', JSON.stringify(trainRanking(rankingExamples(decideOf(decides, decides[0] as Decide)))))
}
