/**
 * `npm run eval -- sites [--differences] [HALF ...]`: evaluates the website provider over HTTP on whole sites with
 * unusual layouts, words and languages (`test/fixtures/gold/sites`), then the readers on every page of these sites.
 * Lists differences only for the `learn` halves. Without a HALF such as `independent/learn`, measures all halves.
 */
import { readSites } from './gold-sites.ts'
import { printTable } from './print-table.ts'
import { givenPages, Score, throughProvider } from './site-scores.ts'

const SETS = ['', ...['', '-2', '-3', '-4', '-5', '-6', '-7'].map((set) => `independent${set}/`)]
/**
 * The sites in folders other than `learn` and `held-out` were written by authors who had not seen the readers. The
 * models of people are trained on all `learn` halves.
 */
const ALL = SETS.flatMap((set) => [`${set}learn`, `${set}held-out`])
const NAMED = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const HALVES = NAMED.length > 0 ? NAMED : ALL

for (const half of HALVES) {
  const sites = readSites(half)
  const [fetched, given] = [new Score(), new Score()]
  const requests: number[] = []
  for (const site of sites) {
    const found = await throughProvider(site)
    fetched.add(site, found)
    requests.push(found.requests)
    given.add(site, givenPages(site))
  }
  for (const [how, score] of [
    ['through the provider', fetched],
    ['given every page', given],
  ] as const) {
    printTable(`${sites.length} sites, ${half}, ${how}: people`, [
      ['names', score.names],
      ['names and titles', score.people],
    ])
    printTable(`${sites.length} sites, ${half}, ${how}: company facts`, score.fields)
    if (process.argv.includes('--differences') && /learn(?:-\d)?$/u.test(half))
      console.log(score.differences.map((line) => `    ${line}`).join('\n'))
  }
  const mean = requests.reduce((sum, count) => sum + count, 0) / requests.length
  console.log(`\n${half}: ${mean.toFixed(1)} page requests per site, at most ${Math.max(...requests)}`)
}
