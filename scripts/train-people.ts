/**
 * `npm run generate -- people [--measure]`: trains the models that read people from pages and writes their weights.
 * `--measure [--differences]` prints the figures for each set of sites with the set left out of training, and writes no
 * weights.
 */
import { writeFileSync } from 'node:fs'
import { SECTION_KINDS, useSectionModel } from '../src/enrichment/people/models/classify-section.ts'
import { TEXT_KINDS, useTextModel } from '../src/enrichment/people/models/classify-text.ts'
import { inventedPages } from './training/invented-pages.ts'
import { measureFolds } from './training/measure-folds.ts'
import { goldPages } from './training/pages.ts'
import { readPage, trainPairs } from './training/pair-models.ts'
import { sectionExamples, textExamples } from './training/text-examples.ts'
import { trainTextModel } from './training/text-models.ts'

const INVENTED = 2200

const write = (file: string, weights: unknown): void =>
  writeFileSync(
    new URL(`../src/enrichment/people/models/weights-${file}.json`, import.meta.url),
    `${JSON.stringify(weights)}\n`,
  )

const texts = trainTextModel(TEXT_KINDS, textExamples('first'))
useTextModel(texts)
useSectionModel(trainTextModel(SECTION_KINDS, sectionExamples('first')))
const pages = [...goldPages(), ...inventedPages(INVENTED)].map(readPage)
console.log(`${pages.length} pages, ${pages.reduce((sum, { pairs }) => sum + pairs.length, 0)} pairs`)
const allTexts = trainTextModel(TEXT_KINDS, textExamples('both'), texts.temperature)
const allSections = trainTextModel(SECTION_KINDS, sectionExamples('both'))
if (process.argv.includes('--measure')) {
  useTextModel(allTexts)
  useSectionModel(allSections)
  await measureFolds(pages, trainPairs)
} else {
  write('pairs', trainPairs(pages))
  write('sections', allSections)
  write('text-kinds', allTexts)
}
