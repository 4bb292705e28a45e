/**
 * `npm run generate -- titles [FOLDER] [--measure]`: trains the models of a title's language, seniority and department
 * on labeled titles and words in about 60 languages, and writes their weights. FOLDER contains clones of the
 * repositories that `training/occupations.ts` reads; without it, occupations are missing. `--measure` prints the accuracy
 * on titles and languages left out of the training, and writes no weights.
 */
import { writeFileSync } from 'node:fs'
import type { ClassifierWeights } from '../src/enrichment/classifier/classifier.ts'
import { createClassifier } from '../src/enrichment/classifier/classifier.ts'
import { classifyDepartment } from '../src/enrichment/people/titles/classify-department.ts'
import { classifySeniority } from '../src/enrichment/people/titles/classify-seniority.ts'
import { classifyTitle } from '../src/enrichment/people/titles/classify-title.ts'
import { TITLE_BUCKETS, titleFeatures } from '../src/enrichment/people/titles/title-features.ts'
import type { TitleWeights } from '../src/enrichment/people/titles/title-models.ts'
import {
  DEPARTMENT_CLASSES,
  LANGUAGE_CLASSES,
  SENIORITY_CLASSES,
  useTitleModels,
} from '../src/enrichment/people/titles/title-models.ts'
import type { TitleField } from '../test/eval/titles.ts'
import { readTitles } from '../test/eval/titles.ts'
import { bestTemperature, trainClassifier } from './training/classifiers.ts'
import { readOccupations } from './training/occupations.ts'
import { wordTitles } from './training/title-words.ts'
import { fixture, phrases } from './training/words.ts'

interface LabeledTitle {
  source:
    | 'titles'
    | 'more-titles'
    | 'everyday-titles'
    | 'site-titles'
    | 'gold'
    | 'published'
    | 'phrases'
    | 'words'
    | 'occupations'
  language: string
  title: string
  /** Undefined if unknown. */
  seniority: string | undefined
  department: string | undefined
}

/** Titles made of words and occupations are many and less like published titles, so they count less. */
const WEIGHTS: Readonly<Record<LabeledTitle['source'], number>> = {
  titles: 1,
  'more-titles': 1,
  'everyday-titles': 1,
  'site-titles': 1,
  gold: 1,
  published: 1,
  phrases: 1,
  words: 0.5,
  occupations: 0.1,
}
const TITLES_PER_TEMPLATE = 6
const OCCUPATIONS_PER_LANGUAGE = 600
const OPTIONS = { features: TITLE_BUCKETS, l2: 0.1, iterations: 100 }
const CLASSES = {
  language: LANGUAGE_CLASSES,
  seniority: SENIORITY_CLASSES,
  department: DEPARTMENT_CLASSES,
} satisfies Record<keyof TitleWeights, readonly string[]>

const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--'))
const isMeasuring = process.argv.includes('--measure')

const listed = (['titles', 'more-titles', 'everyday-titles', 'site-titles'] as const).flatMap((source) =>
  fixture(source).map(
    ([language = '', title = '', seniority, department]): LabeledTitle => ({
      source,
      language,
      title,
      seniority,
      department,
    }),
  ),
)
const examples: LabeledTitle[] = [
  ...listed,
  ...readTitles('dev').map((gold) => ({
    source: 'gold' as const,
    language: 'en',
    title: gold.title,
    seniority: gold.seniority || 'none',
    department: gold.department || 'none',
  })),
  ...readTitles('fresh').map((gold) => ({
    source: 'published' as const,
    language: gold.language ?? 'en',
    title: gold.title,
    seniority: gold.seniority.split('|')[0] || 'none',
    department: gold.department.split('|')[0] || 'none',
  })),
  ...phrases.map(([language, title]) => ({
    source: 'phrases' as const,
    language,
    title,
    seniority: 'none',
    department: 'none',
  })),
  ...wordTitles(TITLES_PER_TEMPLATE).map((one) => ({ source: 'words' as const, ...one })),
  ...(folder ? readOccupations(folder, OCCUPATIONS_PER_LANGUAGE) : []).map((one) => ({
    source: 'occupations' as const,
    ...one,
  })),
]

const features = new Map(examples.map(({ title }) => [title, titleFeatures(title)]))

const kindOf = (model: keyof TitleWeights, { language, [model as TitleField]: kind }: LabeledTitle) =>
  model === 'language' ? (language === 'en' ? 'english' : 'other') : kind

function train(accepts: (title: LabeledTitle) => boolean): TitleWeights {
  const accepted = examples.filter(accepts)
  const of = (model: keyof TitleWeights) =>
    trainClassifier<string>(
      CLASSES[model],
      accepted.flatMap((one) => {
        const kind = kindOf(model, one)
        return kind === undefined
          ? []
          : [{ buckets: features.get(one.title) as number[], kind, weight: WEIGHTS[one.source] }]
      }),
      OPTIONS,
    )
  return { language: of('language'), seniority: of('seniority'), department: of('department') }
}

/** Trains models without some titles. */
function trainWithout(isLeftOut: (title: LabeledTitle) => boolean): TitleWeights {
  const texts = new Set(examples.filter(isLeftOut).map(({ title }) => title.toLowerCase()))
  return train((one) => !isLeftOut(one) && !texts.has(one.title.toLowerCase()))
}

/**
 * Returns the temperature with the lowest Brier score on published titles that the weights were not trained on. Their
 * labels accept several values, so a probability is the share of titles for which a reader accepts the class.
 */
function temperatureOf(field: TitleField, weights: ClassifierWeights): number {
  const titles = [...readTitles('fresh'), ...readTitles('late')].map((gold) => ({
    buckets: titleFeatures(gold.title),
    accepted: (gold[field] || 'none').split('|'),
  }))
  return bestTemperature((temperature) => {
    const classify = createClassifier<string>(CLASSES[field], { ...weights, temperature })
    return titles.reduce((sum, { buckets, accepted }) => {
      const [kind, probability] = Object.entries(classify(buckets)).reduce((best, one) =>
        one[1] > best[1] ? one : best,
      )
      return sum + (probability - Number(accepted.includes(kind))) ** 2
    }, 0)
  })
}

const isSecondList = ({ source }: LabeledTitle): boolean => source === 'more-titles'
const languages = [...new Set(listed.map(({ language }) => language))].toSorted()
/** Every fourth language but English. */
const isOtherLanguage = ({ language, source }: LabeledTitle): boolean =>
  languages.indexOf(language) % 4 === 1 && source !== 'gold'

/** Prints the accuracy of the rules, and of the rules with models, on titles left out of the training. */
function measure(name: string, isLeftOut: (title: LabeledTitle) => boolean): void {
  const weights = trainWithout(isLeftOut)
  useTitleModels(weights)
  const titles = listed.filter((one) => isLeftOut(one) && one.language !== 'en')
  for (const [field, byRules] of [
    ['seniority', classifySeniority],
    ['department', classifyDepartment],
  ] as const) {
    const accuracy = (classify: (title: string) => string | null): string => {
      const right = titles.filter((one) => (classify(one.title) ?? 'none') === one[field])
      return (right.length / titles.length).toFixed(3)
    }
    console.log(
      `${name}: ${field} of ${titles.length} titles: rules ${accuracy(byRules)}, with models ${accuracy((title) => classifyTitle(title)[field])}`,
    )
  }
}

if (isMeasuring) {
  measure('second list left out', isSecondList)
  measure(`languages left out (${languages.filter((_, place) => place % 4 === 1).join(', ')})`, isOtherLanguage)
} else {
  const weights = train(() => true)
  const withoutPublished = trainWithout(({ source }) => source === 'published')
  for (const field of ['seniority', 'department'] as const)
    weights[field].temperature = temperatureOf(field, withoutPublished[field])
  writeFileSync(
    new URL('../src/enrichment/people/titles/weights-titles.json', import.meta.url),
    `${JSON.stringify(weights)}\n`,
  )
}
