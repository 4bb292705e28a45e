/**
 * `npm run eval -- title-sets FOLDER [--misses]`: classifies the titles of public label sets and compares the result
 * with their labels. FOLDER contains clones of the repositories in `SETS`; the sets are not in this repository, because
 * they are under no license. Half of each set, chosen by a hash of the title, is held out; only the other half's misses
 * are listed.
 *
 * The sets use coarser or other labels than the interface. `SETS` states which of the interface's values count as equal
 * to each label; null means that a title indicates none.
 */
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Seniority } from '../../src/contract/person-values.ts'
import type { Department } from '../../src/enrichment/people/titles/classify-department.ts'
import { classifyTitle } from '../../src/enrichment/people/titles/classify-title.ts'

interface TitleSet<Value extends string> {
  repository: string
  file: string
  delimiter: string
  /** Column of the title. */
  title: string
  /** Column of the label. */
  label: string
  /** What is classified. */
  what: 'seniority' | 'department'
  /** The values that count as equal to each label. */
  accepts: Readonly<Record<string, readonly (Value | null)[]>>
}

const NOT_MANAGEMENT: readonly (Seniority | null)[] = ['senior', 'staff', 'junior', null]

/** Both sets of level labels define neither board members nor partners, so these count as the highest level. */
const LEVELS: TitleSet<Seniority> = {
  repository: 'rootstrap/ai-job-title-level-classification',
  file: 'data_process/data_sets/classified_titles.tsv',
  delimiter: '\t',
  title: 'Position',
  label: 'Classification',
  what: 'seniority',
  accepts: {
    'C-Suite': ['executive', 'partner', 'board'],
    VP: ['vice_president'],
    Director: ['director'],
    Manager: ['manager'],
    Other: NOT_MANAGEMENT,
  },
}

const AREAS: TitleSet<Department> = {
  repository: 'rootstrap/ai-job-title-area-classification',
  file: LEVELS.file,
  delimiter: '\t',
  title: 'Position',
  label: 'Classification',
  what: 'department',
  accepts: {
    Technical: ['engineering', 'information_technology', 'product', 'design'],
    'Sales-Marketing': ['sales', 'marketing', 'advisory'],
    Business: [
      ...(['executive', 'finance', 'investment', 'operations', 'product', 'consulting', 'compliance'] as const),
      ...(['human_resources', 'administration', 'legal', 'sales', null] as const),
    ],
    Other: [
      ...([
        'research',
        'education',
        'healthcare',
        'legal',
        'human_resources',
        'administration',
        'fundraising',
      ] as const),
      ...(['operations', 'customer_service', 'compliance', null] as const),
    ],
  },
}

const PROFILES = {
  repository: 'luisadosch/nlp-job-title-classification-benchmark-snapaddy',
  file: 'data/processed/jobs_annotated_active.csv',
  delimiter: ',',
  title: 'position',
} as const

const PROFILE_LEVELS: TitleSet<Seniority> = {
  ...PROFILES,
  label: 'seniority',
  what: 'seniority',
  accepts: {
    Management: ['executive', 'partner', 'board', 'vice_president'],
    Director: ['director'],
    Lead: ['manager'],
    Senior: ['senior'],
    Professional: ['staff', null],
    Junior: ['junior'],
  },
}

const PROFILE_DEPARTMENTS: TitleSet<Department> = {
  ...PROFILES,
  label: 'department',
  what: 'department',
  accepts: {
    'Information Technology': ['information_technology', 'engineering'],
    Sales: ['sales'],
    Consulting: ['consulting', 'advisory'],
    'Project Management': ['operations'],
    Marketing: ['marketing'],
    'Business Development': ['sales'],
    'Human Resources': ['human_resources'],
    Purchasing: ['operations'],
    Administrative: ['administration'],
    'Customer Support': ['customer_service'],
    Other: [
      ...(['executive', 'finance', 'investment', 'advisory', 'product', 'engineering', 'research', 'design'] as const),
      ...(['operations', 'legal', 'compliance', 'healthcare', 'education', 'fundraising', null] as const),
    ],
  },
}

const SETS: readonly TitleSet<string>[] = [LEVELS, PROFILE_LEVELS, AREAS, PROFILE_DEPARTMENTS]

interface Labeled {
  title: string
  label: string
  found: string | null
  isRight: boolean
}

/** Classifies each different title of a set once. */
function classifySet(folder: string, set: TitleSet<string>): Labeled[] {
  const { file, delimiter, title, label, what, accepts } = set
  const rows = parse<Record<string, string>>(readFileSync(join(cloneOf(folder, set), file)), {
    columns: true,
    delimiter,
    quote: delimiter === '\t' ? null : '"',
  })
  const labels = new Map(rows.map((row) => [row[title]?.trim() ?? '', row[label]?.trim() ?? '']))
  return [...labels].map(([text, expected]) => {
    const found = classifyTitle(text)[what]
    return { title: text, label: expected, found, isRight: accepts[expected]?.includes(found) ?? false }
  })
}

const cloneOf = (folder: string, { repository }: TitleSet<string>): string =>
  join(folder, repository.split('/')[1] as string)

const isHeldOut = ({ title }: Labeled): boolean => Number.parseInt(hash('md5', title).slice(0, 1), 16) < 8

const shareRight = (titles: readonly Labeled[]): string =>
  (titles.filter(({ isRight }) => isRight).length / titles.length).toFixed(3)

function printSet(folder: string, set: TitleSet<string>): void {
  const all = classifySet(folder, set)
  const heldOut = all.filter(isHeldOut)
  const learn = all.filter((one) => !isHeldOut(one))
  console.log(`\n${set.repository}, ${set.what}: ${all.length} titles`)
  console.log(`  accuracy: held-out half ${shareRight(heldOut)}, other half ${shareRight(learn)}`)
  for (const label of Object.keys(set.accepts)) {
    const of = heldOut.filter((one) => one.label === label)
    if (of.length > 0) console.log(`    ${label.padEnd(24)}${shareRight(of)} of ${of.length}`)
  }
  if (process.argv.includes('--misses'))
    for (const { title, label, found, isRight } of learn)
      if (!isRight) console.log(`    ${title}: ${found}, not ${label}`)
}

const folder = process.argv[2]
const missing = SETS.filter((set) => folder === undefined || !existsSync(join(cloneOf(folder, set), set.file)))
if (folder === undefined || missing.length > 0)
  console.log(
    `skipped: clone these repositories into a folder and name it: ${[...new Set(missing.map(({ repository }) => `https://github.com/${repository}`))].join(', ')}`,
  )
else for (const set of SETS) printSet(folder, set)
