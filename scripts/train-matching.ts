/**
 * `npm run generate -- match-weights`: counts the words in company names and trains the model for the likelihood of a
 * match. The training data consists of the firms in the real rosters that the evaluation does not use. Needs
 * `../shared`. Deterministic.
 */
import { writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import { MATCH_MAXIMUM } from '../src/contract/match.ts'
import { chunk } from '../src/lib/chunk.ts'
import { compare, FEATURES } from '../src/matching/features.ts'
import { findCandidates } from '../src/matching/find-candidates.ts'
import type { MatchWeights } from '../src/matching/likelihood.ts'
import { rarityOf } from '../src/matching/likelihood.ts'
import { toQueries } from '../src/matching/match-companies.ts'
import { openChaosDatabase } from '../test/chaos/chaos-database.ts'
import { importRosters, issuerNames, makeQueries } from '../test/eval/match-queries.ts'
import type { MatchExample, MatchOutcome } from '../test/eval/match-training.ts'
import { outcomeOf, thresholdFor, trainMatching } from '../test/eval/match-training.ts'

const TARGET = new URL('../src/matching/weights.json', import.meta.url)
const QUERIES = { known: 2400, unknown: 1200 }
const SEED = 20_261_122
/** Minimum number of names that contain a listed word. An unlisted word counts as occurring in one name. */
const LEAST_NAMES = 3
/** Required precision on held-out training queries. */
const PRECISION = 0.995
const DOUBTFUL = 0.2
/**
 * Weights that are not learned from roster names: an LEI, CIK or CRD number identifies one company, and a domain nearly
 * always does.
 */
const FIXED = { 'same identifier': 12, 'other identifier': -6, 'same domain': 8 }

await using chaos = await openChaosDatabase({ connections: 4 })
const { db } = chaos.service
await importRosters(chaos.service)
// The model must not see the evaluation's firms. All companies are deleted, because they have the same names as their
// firms.
await sql`delete from firm where crd_number % 10 >= 7`.execute(db)
await sql`delete from company`.execute(db)
await sql`vacuum analyze firm, company`.execute(db)

const words = await countWords()
const rarity = rarityOf(words)
const examples = await readExamples()
const half = examples.filter((_, index) => isInHalf(index))
// The threshold is chosen on the half of the queries that was not used to fit these preliminary weights.
const tuned = trainMatching(half)
const outcomes = examples.filter((_, index) => !isInHalf(index)).map((example) => outcomeOf(example, tuned))
const matched = thresholdFor(PRECISION, outcomes)
const weights = trainMatching(examples)
const model: MatchWeights = {
  matched,
  doubtful: DOUBTFUL,
  weights: {
    ...(Object.fromEntries(
      FEATURES.map((name, at) => [name, Number((weights[at] as number).toFixed(4))]),
    ) as MatchWeights['weights']),
    ...FIXED,
  },
  ...words,
}
writeFileSync(TARGET, `${serialize(model)}\n`)
report(outcomes, matched)

async function countWords(): Promise<Pick<MatchWeights, 'names' | 'words'>> {
  const titles = issuerNames('training')
  const { rows } = await sql<{ word: string; names: number }>`
    with name as (
      select legal_name as name from firm where legal_name is not null
      union select business_name from firm where business_name is not null
      union select title from unnest(${titles}::text[]) as title
    )
    select word, count(distinct name)::integer as names from name, unnest(name_words(name)) as word group by word order by 2 desc, word collate "C"`.execute(
    db,
  )
  const { rows: all } = await sql<{ names: number }>`
    select (select count(distinct legal_name) + count(distinct business_name) from firm)::integer as names`.execute(db)
  return {
    names: (all[0]?.names ?? 0) + titles.length,
    words: Object.fromEntries(rows.filter(({ names }) => names >= LEAST_NAMES).map(({ word, names }) => [word, names])),
  }
}

async function readExamples(): Promise<MatchExample[]> {
  const made = await makeQueries(db, 'training', QUERIES, SEED)
  const examples: MatchExample[] = []
  for (const batch of chunk(made, MATCH_MAXIMUM)) {
    const queries = await toQueries(
      db,
      batch.map(({ company }) => company),
    )
    const found = await findCandidates(db, '', queries)
    for (const [place, query] of queries.entries()) {
      const candidates = found[place] ?? []
      const { expected } = batch[place] as (typeof batch)[number]
      examples.push({
        rows: Float64Array.from(
          candidates.flatMap((candidate) => {
            const { features } = compare(query, candidate, rarity)
            return FEATURES.map((name) => features[name])
          }),
        ),
        right: candidates.findIndex(({ crd_number }) => crd_number === expected && expected !== null),
        isKnown: expected !== null,
      })
    }
  }
  const missed = examples.filter(({ isKnown, right }) => isKnown && right === -1).length
  console.log(`${examples.length} queries; the right firm is not among the candidates of ${missed} of ${QUERIES.known}`)
  return examples
}

/** Assigns groups of ten queries to alternating halves, so that both halves contain all ten kinds. */
function isInHalf(index: number): boolean {
  return Math.floor(index / 10) % 2 === 0
}

function report(outcomes: readonly MatchOutcome[], threshold: number): void {
  const taken = outcomes.filter(({ likelihood }) => likelihood >= threshold)
  const right = taken.filter(({ isRight }) => isRight).length
  const known = outcomes.filter(({ isKnown }) => isKnown).length
  console.log(
    `held-out half of the training queries: threshold ${threshold}, precision ${(right / taken.length).toFixed(3)}, recall ${(right / known).toFixed(3)}`,
  )
}

/** Writes one line per weight, and all words on one line. */
function serialize({ words, ...rest }: MatchWeights): string {
  return `${JSON.stringify(rest, null, 2).slice(0, -2)},\n  "words": ${JSON.stringify(words)}\n}`
}
