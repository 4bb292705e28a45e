/**
 * Occupations of the European classification ESCO in 23 languages, from clones of two public repositories. They are not
 * in this repository. The department follows from the English name and the group of the International Standard
 * Classification of Occupations (ISCO-08). Only occupations below management have a seniority, because titles of
 * managers differ in rank between languages.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Department } from '../../src/enrichment/people/titles/classify-department.ts'
import { classifyDepartment } from '../../src/enrichment/people/titles/classify-department.ts'
import { classifySeniority } from '../../src/enrichment/people/titles/classify-seniority.ts'

export interface Occupation {
  language: string
  title: string
  /** Undefined if unknown. */
  seniority: string | undefined
  department: string | undefined
}

const ENGLISH = 'multilingual-job-title-matching/data/raw/esco_dataset_version_1.2.0/english/occupations_en.csv'
const LANGUAGES = 'melo-benchmark/data/processed'

/** Departments by ISCO-08 group; the longest matching code counts. Groups without a clear department are left out. */
const GROUPS: Readonly<Partial<Record<Department, string>>> = {
  executive: '112',
  finance: '1211 1346 2120 241 3312 3313 3315 3352 4211 4311 4312',
  investment: '2413 3311',
  advisory: '2412',
  human_resources: '1212 2423 2424 3333',
  administration: '1219 3341 3342 3343 3344 41 4221 4226 4416 4415',
  sales: '1420 2433 2434 3321 3322 3324 3334 3339 52',
  marketing: '1222 2431 2432 2641 2642 3332',
  research: '1223 211 212 213 2631 2632 2633 314',
  engineering: '2141 2142 2143 2144 2145 2146 2149 215 2164 2165 2511 2512 2513 2514 2519 311',
  design: '2161 2162 2163 2166 2651 3431 3432',
  information_technology: '133 2521 2522 2523 2529 351',
  healthcare: '1342 1343 1344 22 2634 2635 32 3412 532',
  education: '1341 1345 23 2621 2622 3422 5311 5312 4411',
  legal: '261 3411',
  compliance: '3351 3353 3354',
  consulting: '2421',
  customer_service: '422',
  operations: '131 132 141 143 312 313 315 3323 3331 3434 3435 352 432 51 54 6 7 8 9',
}

const DEPARTMENT_OF = new Map(
  (Object.entries(GROUPS) as [Department, string][]).flatMap(([department, codes]) =>
    codes.split(' ').map((code) => [code, department] as const),
  ),
)

function departmentOf(isco: string): Department | undefined {
  for (let length = isco.length; length > 0; length -= 1) {
    const department = DEPARTMENT_OF.get(isco.slice(0, length))
    if (department) return department
  }
  return undefined
}

interface Concept {
  seniority: string | undefined
  department: string | undefined
}

/** Labels each ESCO occupation by its English name and its group. */
function readConcepts(folder: string): Map<string, Concept> {
  const rows = parse<{ conceptUri: string; iscoGroup: string; preferredLabel: string }>(
    readFileSync(join(folder, ENGLISH)),
    { columns: true },
  )
  return new Map(
    rows.map(({ conceptUri, iscoGroup, preferredLabel }) => {
      const byName = classifySeniority(preferredLabel)
      const isWorker = /^[2-9]/.test(iscoGroup) && (byName === null || byName === 'staff')
      const named = classifyDepartment(preferredLabel)
      const department = departmentOf(iscoGroup)
      return [
        conceptUri,
        {
          seniority: isWorker ? 'staff' : byName === 'senior' || byName === 'junior' ? byName : undefined,
          // The rules also match words of other occupations, so that a difference from the group is left out.
          department: named === null || named === department ? department : undefined,
        },
      ]
    }),
  )
}

const readPairs = (path: string): [string, string][] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t') as [string, string])

/** Reads the occupation of each concept. All languages of one set of occupations (`deu_q_de`) number them alike. */
const readUris = (folder: string, version: string): Map<string, string> =>
  new Map(
    readPairs(join(folder, LANGUAGES, 'melo', `${version}_c_${version.slice(-2)}`, 'concept_mapping.tsv')).map(
      ([id, uri]) => [id.slice(0, 7), uri],
    ),
  )

/** Splits `Lehrer/Lehrerin` and `serveur / serveuse` into both forms. */
const formsOf = (title: string): string[] =>
  title
    .split(/\s*\/\s*/)
    .every((part, _, parts) => part.slice(0, 3).toLowerCase() === parts[0]?.slice(0, 3).toLowerCase())
    ? title.split(/\s*\/\s*/)
    : [title]

/** Reads the occupations; at most so many titles per language, spread evenly over the list. */
export function readOccupations(folder: string, perLanguage: number): Occupation[] {
  const concepts = readConcepts(folder)
  const english = parse<{ conceptUri: string; preferredLabel: string; altLabels: string }>(
    readFileSync(join(folder, ENGLISH)),
    { columns: true },
  ).flatMap(({ conceptUri, preferredLabel, altLabels }) =>
    [preferredLabel, ...altLabels.split('\n')].filter(Boolean).map((title) => ({ title, uri: conceptUri })),
  )
  const lists = new Map([['en', english]])
  for (const directory of ['melo', 'custom'])
    for (const name of readdirSync(join(folder, LANGUAGES, directory)).toSorted()) {
      const [, version = '', language = ''] = /^(\w+_q_\w\w)_c_(\w\w)$/.exec(name) ?? []
      const file = join(folder, LANGUAGES, directory, name, 'corpus_elements.tsv')
      if (language === '' || lists.has(language) || !existsSync(file)) continue
      const uris = readUris(folder, version)
      lists.set(
        language,
        readPairs(file).map(([id, title]) => ({ title, uri: uris.get(id.slice(0, 7)) ?? '' })),
      )
    }
  return [...lists].flatMap(([language, list]) => {
    const known = list.flatMap(({ title, uri }) => {
      const concept = concepts.get(uri)
      return concept ? formsOf(title).map((form) => ({ language, title: form, ...concept })) : []
    })
    const unique = [...new Map(known.map((one) => [one.title.toLowerCase(), one])).values()]
    const step = Math.max(1, unique.length / perLanguage)
    return Array.from(
      { length: Math.min(unique.length, perLanguage) },
      (_, place) => unique[Math.floor(place * step)] as Occupation,
    )
  })
}
