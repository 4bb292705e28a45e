import { nameKey } from '../../src/enrichment/people/page/name-key.ts'
import type { PairModels } from '../../src/enrichment/people/page/page-people.ts'
import { choosePeople, scorePairs } from '../../src/enrichment/people/page/page-people.ts'
import type { Pair } from '../../src/enrichment/people/page/pair-features.ts'
import type { LabelledPage } from './pages.ts'

const FOLDS = 5

interface ReadPage {
  page: LabelledPage
  pairs: Pair[]
}

/** Prints the results of the pair models on groups of gold pages that the models were not trained on. */
export function measureFolds<Page extends ReadPage>(
  pages: readonly Page[],
  train: (pages: readonly Page[]) => PairModels,
): void {
  const groups = [...new Set(pages.map(({ page }) => page.group).filter((group) => !group.startsWith('invented')))]
  const foldOf = new Map(groups.map((group, at) => [group, at % FOLDS]))
  const totals = new Map<string, [right: number, wrong: number, missing: number]>()
  for (let held = 0; held < FOLDS; held++) {
    const models = train(pages.filter(({ page }) => foldOf.get(page.group) !== held))
    for (const group of groups.filter((one) => foldOf.get(one) === held)) {
      const own = pages.filter(({ page }) => page.group === group)
      const wanted = new Map(
        own.flatMap(({ page }) => page.people.map(({ name, title }) => [nameKey(name), (title ?? '').toLowerCase()])),
      )
      const found = new Map<string, [string, number]>()
      for (const { pairs } of own)
        for (const { pair, probability } of choosePeople(scorePairs(pairs, models))) {
          const key = nameKey(pair.name.text)
          if ((found.get(key)?.[1] ?? 0) < probability) found.set(key, [pair.title.text, probability])
        }
      const set = group.includes('learn ')
        ? (group.split(' ')[0] as string)
        : group.includes('.')
          ? 'people-pages'
          : 'layouts'
      const total = totals.get(set) ?? [0, 0, 0]
      for (const [key, [title, probability]] of found) {
        const right = wanted.get(key) === title.toLowerCase().replace(/\.$/u, '')
        total[right ? 0 : 1]++
        if (!right && process.argv.includes('--differences'))
          console.log(`  ${group}: ${key} | ${title} ${probability.toFixed(2)} instead of ${wanted.get(key)}`)
        if (wanted.has(key)) wanted.delete(key)
      }
      if (process.argv.includes('--differences'))
        for (const [key, title] of wanted) console.log(`  ${group}: missing ${key} | ${title}`)
      total[2] += wanted.size
      totals.set(set, total)
    }
  }
  for (const [set, [right, wrong, missing]] of totals)
    console.log(
      `${set}: P ${(right / (right + wrong)).toFixed(3)} R ${(right / (right + missing)).toFixed(3)} right ${right} wrong ${wrong} missing ${missing}`,
    )
}
