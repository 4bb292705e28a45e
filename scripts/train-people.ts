/**
 * `npm run generate -- people [--measure]`: trains the models that read people from pages and writes their weights.
 * `--measure [--differences]` prints the figures for each set of sites with the set left out of training, and writes no
 * weights. The sets that were left out also calibrate the confidence.
 */
import { writeFileSync } from 'node:fs'
import { fitCalibration } from './training/calibrate.ts'
import { FOLDS, foldOf, readContexts, useContextModels } from './training/context-models.ts'
import { answersOf, trainFolds } from './training/folds.ts'
import { inventedPages } from './training/invented-pages.ts'
import { measureFolds } from './training/measure-folds.ts'
import { goldPages } from './training/pages.ts'
import { readPage, trainPairs } from './training/pair-models.ts'

const INVENTED = 2200

const write = (file: string, weights: unknown): void =>
  writeFileSync(
    new URL(`../src/enrichment/people/models/weights-${file}.json`, import.meta.url),
    `${JSON.stringify(weights)}\n`,
  )

const trainContext = readContexts()
const labeled = goldPages()
// Pages are read with models that do not know their sites, and invented pages with models that do not know their words.
const sites = Array.from({ length: FOLDS }, (_, fold) => {
  useContextModels(trainContext('both', fold))
  return labeled.filter(({ set }) => foldOf(set) === fold).map(readPage)
}).flat()
useContextModels(trainContext('first'))
const pages = [...sites, ...inventedPages(INVENTED).map(readPage)]
console.log(`${pages.length} pages, ${pages.reduce((sum, { pairs }) => sum + pairs.length, 0)} pairs`)
const folds = trainFolds(pages)
const calibration = fitCalibration(answersOf(folds, pages))
console.log(calibration)
if (process.argv.includes('--measure')) await measureFolds(folds, (fold) => trainContext('both', fold), calibration)
else {
  const { texts, sections, mentions } = trainContext('both')
  write('pairs', { ...trainPairs(pages), calibration })
  write('sections', sections)
  write('text-kinds', texts)
  write('mentions', mentions)
}
