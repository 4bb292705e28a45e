/**
 * `npm run generate -- titles [--measure]`: trains the models of a title's seniority and department on labeled titles
 * in 45 languages, and writes their weights. `--measure` prints the accuracy on titles left out of the training, and
 * writes no weights.
 */
import { writeFileSync } from 'node:fs'
import type { ClassifierWeights } from '../src/enrichment/classifier/classifier.ts'
import { classifyDepartment } from '../src/enrichment/people/titles/classify-department.ts'
import { classifySeniority } from '../src/enrichment/people/titles/classify-seniority.ts'
import { classifyTitle } from '../src/enrichment/people/titles/classify-title.ts'
import { TITLE_BUCKETS, titleFeatures } from '../src/enrichment/people/titles/title-features.ts'
import type { TitleWeights } from '../src/enrichment/people/titles/title-models.ts'
import { DEPARTMENT_CLASSES, SENIORITY_CLASSES, useTitleModels } from '../src/enrichment/people/titles/title-models.ts'
import { readTitles } from '../test/eval/titles.ts'
import { trainClassifier } from './training/classifiers.ts'
import { fixture, isIn, phrases } from './training/words.ts'

interface LabeledTitle {
  title: string
  kind: string
}

const OPTIONS = { features: TITLE_BUCKETS, l2: 0.3, iterations: 60 }

/** Labeled titles in rows of language, title, seniority and department. The other phrases are not titles. */
const rows = [...fixture('titles'), ...fixture('more-titles')]
const titlesBy = (field: 'seniority' | 'department'): LabeledTitle[] =>
  rows.map((row) => ({ title: row[1] as string, kind: row[field === 'seniority' ? 2 : 3] as string }))
const labeled = (field: 'seniority' | 'department'): LabeledTitle[] => [
  ...titlesBy(field),
  ...phrases.map(([, text]) => ({ title: text, kind: 'none' })),
  ...readTitles('dev').map((gold) => ({ title: gold.title, kind: gold[field] || 'none' })),
]

const train = (classes: readonly string[], titles: readonly LabeledTitle[]): ClassifierWeights =>
  trainClassifier(
    classes,
    titles.map(({ title, kind }) => ({ buckets: titleFeatures(title), kind })),
    OPTIONS,
  )

const trainOn = (accepts: (title: string) => boolean): TitleWeights => {
  const [seniority, department] = [labeled('seniority'), labeled('department')].map((titles) =>
    titles.filter(({ title }) => accepts(title)),
  ) as [LabeledTitle[], LabeledTitle[]]
  return { seniority: train(SENIORITY_CLASSES, seniority), department: train(DEPARTMENT_CLASSES, department) }
}

/** Prints the accuracy of the rules, and of the rules with models trained on the other half, on half of the titles. */
function measure(): void {
  useTitleModels(trainOn((title) => isIn('first', title)))
  for (const [field, byRules] of [
    ['seniority', classifySeniority],
    ['department', classifyDepartment],
  ] as const) {
    const unseen = titlesBy(field).filter(({ title }) => isIn('second', title))
    const accuracy = (classify: (title: string) => string | null): string => {
      const right = unseen.filter(({ title, kind }) => (classify(title) ?? 'none') === kind)
      return (right.length / unseen.length).toFixed(3)
    }
    console.log(
      `${field} of ${unseen.length} unseen titles: rules ${accuracy(byRules)}, with models ${accuracy((title) => classifyTitle(title)[field])}`,
    )
  }
}

if (process.argv.includes('--measure')) measure()
else
  writeFileSync(
    new URL('../src/enrichment/people/titles/weights-titles.json', import.meta.url),
    `${JSON.stringify(trainOn(() => true))}\n`,
  )
