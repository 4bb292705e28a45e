/**
 * `npm run eval -- match`: matches 2,000 queries made from real rosters and 1,000 names that are not in any roster. The
 * firms and names are disjoint from the training data. Skipped without `../shared`.
 */
import { MATCH_MAXIMUM } from '../../src/contract/match.ts'
import { chunk } from '../../src/lib/chunk.ts'
import { matchCompanies } from '../../src/matching/match-companies.ts'
import { openChaosDatabase } from '../chaos/chaos-database.ts'
import { calibrationError } from './emails.ts'
import { importRosters, makeQueries, missingFile } from './match-queries.ts'

const QUERIES = { known: 2000, unknown: 1000 }
const SEED = 7
const GOALS = { precision: 0.98, recall: 0.9, error: 0.03 }

const missing = missingFile()
if (missing) console.log(`Skipped: ${missing} is missing.`)
else await evaluate()

interface Answer {
  kind: string
  isKnown: boolean
  isMatched: boolean
  /** Whether the first candidate is the correct firm. */
  right: boolean
  /** Likelihood of the first candidate; 0 if there is none. */
  confidence: number
}

async function evaluate(): Promise<void> {
  await using chaos = await openChaosDatabase({ connections: 4 })
  const { db } = chaos.service
  await importRosters(chaos.service)
  const queries = await makeQueries(db, 'evaluation', QUERIES, SEED)
  const answers: Answer[] = []
  for (const batch of chunk(queries, MATCH_MAXIMUM)) {
    const matches = await matchCompanies(
      db,
      '',
      batch.map(({ company }) => company),
    )
    for (const [place, { kind, expected, company }] of batch.entries()) {
      const { status, candidates } = matches[place] as (typeof matches)[number]
      const [first] = candidates
      const right = expected !== null && first?.crd_number === expected
      const isMatched = status === 'matched'
      answers.push({ kind, isKnown: expected !== null, isMatched, right, confidence: first?.likelihood ?? 0 })
      if (process.argv.includes('--differences') && (isMatched ? !right : expected !== null))
        console.log(kind, JSON.stringify(company), expected, JSON.stringify(candidates.slice(0, 2)))
    }
  }
  report(answers)
}

function report(answers: readonly Answer[]): void {
  const matched = answers.filter(({ isMatched }) => isMatched)
  const right = matched.filter(({ right }) => right).length
  const known = answers.filter(({ isKnown }) => isKnown)
  for (const [kind, of] of Map.groupBy(answers, ({ kind }) => kind)) {
    const found = of.filter(({ isMatched, right }) => isMatched && right).length
    const wrong = of.filter(({ isMatched, right }) => isMatched && !right).length
    console.log(`  ${kind.padEnd(26)} ${String(of.length).padStart(5)} queries, ${found} right, ${wrong} wrong`)
  }
  const figures = {
    precision: right / matched.length,
    recall: right / known.length,
    error: calibrationError(answers.filter(({ confidence }) => confidence > 0)),
  }
  console.log(
    `${answers.length} queries: precision ${figures.precision.toFixed(3)} (goal ${GOALS.precision}), recall ${figures.recall.toFixed(3)} (goal ${GOALS.recall}), calibration error ${figures.error.toFixed(3)} (goal ${GOALS.error})`,
  )
  if (figures.precision < GOALS.precision || figures.recall < GOALS.recall || figures.error > GOALS.error)
    process.exitCode = 1
}
