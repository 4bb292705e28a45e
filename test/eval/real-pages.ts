/**
 * `npm run eval -- real-pages REPOSITORIES [--differences]`: measures the people readers on single pages of real sites.
 * The addresses and hashed labels of the pages are in `test/fixtures/gold/real-pages`; the pages are read from clones
 * of public repositories in the folder REPOSITORIES. Lists the missing pages, and exits with 1 if there are any. Lists
 * differences only for the `learn` half.
 */
import { readRealPageAddresses, readRealPages } from './gold-real-pages.ts'
import { printTable } from './print-table.ts'
import { peopleOn, RealPageScore } from './real-page-scores.ts'

const [folder] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
if (folder === undefined) {
  console.error('Usage: npm run eval -- real-pages REPOSITORIES [--differences]')
  process.exitCode = 2
} else {
  const addresses = readRealPageAddresses()
  const { pages, problems } = readRealPages(folder, addresses)
  for (const half of ['learn', 'held-out'] as const) {
    const inHalf = pages.filter((page) => page.half === half)
    const score = new RealPageScore()
    for (const page of inHalf) score.add(page, peopleOn(page))
    printTable(`${inHalf.length} real pages, ${half}: people`, [
      ['names', score.names],
      ['names and titles', score.people],
      ['people without titles', score.untitled],
    ])
    if (process.argv.includes('--differences') && half === 'learn')
      console.log(score.differences.map((line) => `    ${line}`).join('\n'))
  }
  for (const problem of problems) console.error(problem)
  console.log(`\n${pages.length} of ${addresses.length} pages were read, ${problems.length} are missing or changed.`)
  process.exitCode = problems.length > 0 ? 1 : 0
}
