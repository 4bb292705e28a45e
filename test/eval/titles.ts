/**
 * `npm run eval -- titles [dev|held-out|fresh|late|unseen|independent] [--misses]`: compares the seniority and
 * department of titles with labels. `fresh`, `late` and `unseen` contain titles from sites, staff pages, lists of
 * occupations, a survey and forms, none of them written for this project; `independent` contains titles from invented
 * sites by other authors. Their labels can accept several values. `fresh` is also training data, and `late` calibrates
 * the probabilities. `unseen` and `independent` are only for scoring: do not train on them.
 */
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { classifyTitle } from '../../src/enrichment/people/titles/classify-title.ts'
import { estimateTitle } from '../../src/enrichment/people/titles/title-models.ts'
import { printRows } from './print-table.ts'

export type Half = 'dev' | 'held-out'
/** The sets whose labels accept several values. */
export type CollectedSet = 'fresh' | 'late' | 'unseen' | 'independent'
export type TitleSet = Half | CollectedSet
export type TitleField = 'seniority' | 'department'

interface GoldTitle {
  title: string
  seniority: string
  department: string
  language?: string
  source?: string
}

export interface TitleScore {
  titles: number
  seniority: number
  department: number
  misses: string[]
}

/** Reads the labeled titles. An empty label means that the title indicates none; `|` separates accepted labels. */
export const readTitles = (set: TitleSet): GoldTitle[] =>
  parse<GoldTitle>(readFileSync(new URL(`../fixtures/gold/titles/${set}.csv`, import.meta.url)), { columns: true })

const isAccepted = (label: string, found: string | null): boolean =>
  (label || 'none').split('|').includes(found ?? 'none')

/** Returns the share of gold titles with an accepted seniority and department. */
export function scoreTitles(set: TitleSet): TitleScore {
  const gold = readTitles(set)
  const misses: string[] = []
  let [seniority, department] = [0, 0]
  for (const { title, ...label } of gold) {
    const found = classifyTitle(title)
    if (isAccepted(label.seniority, found.seniority)) seniority++
    else misses.push(`${title}: seniority ${found.seniority}, not ${label.seniority}`)
    if (isAccepted(label.department, found.department)) department++
    else misses.push(`${title}: department ${found.department}, not ${label.department}`)
  }
  return { titles: gold.length, seniority: seniority / gold.length, department: department / gold.length, misses }
}

/** Returns the probability and the correctness of the models' estimates for titles that they were not trained on. */
export const titleAnswers = (field: TitleField): { confidence: number; right: boolean }[] =>
  readTitles('unseen').map((gold) => {
    const { value, probability } = estimateTitle(gold.title)[field]
    return { confidence: probability, right: isAccepted(gold[field], value) }
  })

const LANGUAGE_GROUPS: Record<string, string> = {
  ...Object.fromEntries(['fr', 'es', 'pt', 'it', 'ca', 'ro'].map((code) => [code, 'Romance'])),
  ...Object.fromEntries(['de', 'nl', 'da', 'sv', 'no'].map((code) => [code, 'Germanic'])),
  ...Object.fromEntries(['pl', 'cs', 'sk', 'hr', 'sr', 'bs', 'ru', 'uk', 'mk'].map((code) => [code, 'Slavic'])),
  ...Object.fromEntries(['fi', 'hu', 'tr', 'az', 'uz'].map((code) => [code, 'Finnish, Hungarian, Turkic'])),
  ...Object.fromEntries(['zh', 'ja', 'ko'].map((code) => [code, 'Chinese, Japanese, Korean'])),
  en: 'English',
}

/** Prints the share of accepted, wrong and missing labels by language group and by source. */
function printGroups(set: CollectedSet): void {
  const known = new Set(
    [
      ...['titles', 'more-titles', 'everyday-titles', 'site-titles'].flatMap((file) =>
        fixtureLines(file).map(([, title = '']) => title),
      ),
      ...fixtureLines('title-words').flatMap(([, , words = '']) => words.split(/[;|]/u).map((word) => word.trim())),
      ...[...readTitles('dev'), ...readTitles('held-out')].map(({ title }) => title),
    ].map((title) => title.toLowerCase()),
  )
  const titles = readTitles(set).map((gold) => {
    const found = classifyTitle(gold.title)
    return { ...gold, found, isKnown: known.has(gold.title.toLowerCase()) }
  })
  const groups: [string, typeof titles][] = [
    ['all', titles],
    ['not in training or other gold sets', titles.filter(({ isKnown }) => !isKnown)],
    ...Map.groupBy(titles, ({ language = '' }) => LANGUAGE_GROUPS[language] ?? 'other languages'),
    ...Map.groupBy(titles, ({ source = '' }) => `source: ${source}`),
  ]
  const shares = (list: typeof titles, field: TitleField): string[] => {
    const right = list.filter((one) => isAccepted(one[field], one.found[field]))
    const missing = list.filter((one) => !right.includes(one) && one.found[field] === null)
    return [
      (right.length / list.length).toFixed(3),
      String(list.length - right.length - missing.length),
      String(missing.length),
    ]
  }
  printRows(
    ['', 'titles', 'seniority', 'wrong', 'missing', 'department', 'wrong', 'missing'],
    groups.map(([name, list]) => [
      name,
      String(list.length),
      ...shares(list, 'seniority'),
      ...shares(list, 'department'),
    ]),
  )
}

const fixtureLines = (file: string): string[][] =>
  readFileSync(new URL(`../fixtures/training/${file}.tsv`, import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))

if (import.meta.main) {
  const sets = ['dev', 'fresh', 'late', 'unseen', 'independent'] as const
  const set = sets.find((one) => one === process.argv[2]) ?? 'held-out'
  const { titles, seniority, department, misses } = scoreTitles(set)
  console.log(`titles ${titles}  seniority ${seniority.toFixed(3)}  department ${department.toFixed(3)}`)
  if (set !== 'dev' && set !== 'held-out') printGroups(set)
  if (process.argv.includes('--misses')) console.log(misses.join('\n'))
}
