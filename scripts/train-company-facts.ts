/**
 * `npm run generate -- company-facts [--validate]`: trains the models that decide which candidates are company facts,
 * and writes their weights. Candidates come from the gold sites and pages that may be used for training, and from the
 * sentences in `test/fixtures/training/company-facts.tsv`. `--validate` also prints results for sites held out of
 * training. Deterministic.
 */
import { writeFileSync } from 'node:fs'
import type { Decision, DecisionWeights } from '../src/enrichment/company/facts/decide.ts'
import { BUCKETS, createDecide, DECISIONS, rowsOf } from '../src/enrichment/company/facts/decide.ts'
import { selectIndustry } from '../src/enrichment/company/facts/industry.ts'
import { THRESHOLD } from '../src/enrichment/company/facts/read-facts.ts'
import type { Example } from '../test/eval/logistic-regression.ts'
import { trainLogisticRegression } from '../test/eval/logistic-regression.ts'
import type { Labelled } from './training/company-fact-examples.ts'
import { companyFactExamples } from './training/company-fact-examples.ts'

/** Degree of class balancing: 0 for none, 1 for equal total weights of both classes. */
const BALANCE = 0.8
/** Decisions that select one candidate per site and are trained with balanced classes. */
const SELECTED = new Set<Decision>(['legal-name', 'phone', 'address', 'industry'])
function train(examples: readonly Labelled[], decision: Decision): { step: number; weights: string } {
  const own = examples.filter((one) => one.decision === decision)
  const facts = own.filter(({ isFact }) => isFact).reduce((sum, { weight }) => sum + weight, 0)
  const total = own.reduce((sum, { weight }) => sum + weight, 0)
  const rows = own.map(({ features, isFact, weight }): Example => {
    const found = rowsOf(decision, features)
    return {
      indices: Int32Array.from(found, ([row]) => row),
      values: Float64Array.from(found, ([, value]) => value),
      label: isFact ? 1 : 0,
      weight:
        weight * (total / (2 * Math.max(1, isFact ? facts : total - facts))) ** (SELECTED.has(decision) ? 1 : BALANCE),
    }
  })
  const weights = trainLogisticRegression(rows, {
    features: BUCKETS,
    classes: 2,
    l2: SELECTED.has(decision) ? 0.05 : 0.15,
    iterations: 120,
  })
  const odds = Array.from(
    { length: BUCKETS + 1 },
    (_, row) => (weights[row * 2 + 1] as number) - (weights[row * 2] as number),
  )
  const step = Math.max(...odds.map(Math.abs)) / 127
  return { step, weights: Buffer.from(Int8Array.from(odds, (one) => Math.round(one / step)).buffer).toString('base64') }
}

const trainAll = (examples: readonly Labelled[]): DecisionWeights =>
  Object.fromEntries(DECISIONS.map((decision) => [decision, train(examples, decision)])) as DecisionWeights

/** Prints how often the most probable candidate above the threshold is correct on held-out sites and pages. */
function validate(examples: readonly Labelled[]): void {
  const groups = [...new Set(examples.map(({ group }) => group))].filter(
    (group) => group.includes('learn') || group.endsWith('.json'),
  )
  const counts = new Map<Decision, { right: number; wrong: number; invented: number; missing: number }>()
  const folds = 5
  for (let fold = 0; fold < folds; fold++) {
    const left = new Set(groups.filter((_, place) => place % folds === fold))
    const model = createDecide(trainAll(examples.filter(({ group }) => !left.has(group))))
    for (const group of left)
      for (const decision of DECISIONS) {
        const own = examples.filter((one) => one.group === group && one.decision === decision)
        // Page keys contain the industry's category, not the phrase on the page.
        if (own.length === 0 || (decision === 'industry' && group.endsWith('.json'))) continue
        const count = counts.get(decision) ?? { right: 0, wrong: 0, invented: 0, missing: 0 }
        counts.set(decision, count)
        const judged = own.map((one) => ({ ...one, p: model(decision, one.features) })).toSorted((a, b) => b.p - a.p)
        const best =
          decision === 'industry'
            ? selectIndustry(
                judged.map((one) => ({ phrase: one.text, page: 0, sources: one.sources ?? new Set<string>(), ...one })),
              )
            : judged[0]
        const isStated = own.some(({ isFact }) => isFact)
        const isShown = best !== undefined && (decision === 'industry' || best.p >= THRESHOLD[decision])
        if (isShown && best.isFact) count.right++
        else if (isShown) count[isStated ? 'wrong' : 'invented']++
        else if (isStated) count.missing++
        if (isShown === isStated && (!best || best.isFact === isStated)) continue
        console.log(
          `  ${group} ${decision}: ${best?.p.toFixed(2)} ${best?.text.slice(0, 100)} | fact: ${own.find(({ isFact }) => isFact)?.text ?? 'no candidate'} ${own
            .filter(({ isFact }) => isFact)
            .map((one) => model(decision, one.features).toFixed(2))
            .join(' ')}`,
        )
      }
  }
  for (const [decision, { right, wrong, invented, missing }] of counts)
    console.log(`${decision}: right ${right}, wrong ${wrong}, invented ${invented}, missing ${missing}`)
}

const examples = companyFactExamples()
console.log(`${examples.length} candidates, ${examples.filter(({ isFact }) => isFact).length} facts`)
if (process.argv.includes('--validate')) validate(examples)
writeFileSync(
  new URL('../src/enrichment/company/facts/weights.json', import.meta.url),
  `${JSON.stringify(trainAll(examples), null, 2)}\n`,
)
