/**
 * `npm run eval -- all`: runs `npm run eval -- signals`, then compares the extractors' findings with the gold sets and
 * the demo web. `--differences` lists every miss.
 */

import { countCompanyPages } from './company.ts'
import { Counts } from './counts.ts'
import { countDemoWeb } from './demo-web.ts'
import { calibrationError, scoreEmails } from './emails.ts'
import { scorePeople } from './people.ts'
import { printTable, share } from './print-table.ts'
import { scoreTitles } from './titles.ts'

const withDifferences = process.argv.includes('--differences')
const asCounts = ({ right, wrong, missing }: { right: number; wrong: number; missing: number }): Counts =>
  Object.assign(new Counts(), { right, invented: wrong, missing })

for (const half of ['dev', 'held-out'] as const) {
  const company = countCompanyPages(half)
  printTable(`Company fields, ${half}, by field`, company.fields)
  printTable(`Company fields, ${half}, by family of pages`, company.families)
  console.log(`  expected calibration error ${calibrationError(company.answers).toFixed(3)}`)
  if (withDifferences) console.log(company.differences.map((line) => `    ${line}`).join('\n'))

  const people = scorePeople(half)
  printTable(
    `People, ${half}: name and title, by family of layouts`,
    people.map(({ family, pairs }) => [family, asCounts(pairs)]),
  )
  printTable(
    `People, ${half}: published e-mail addresses`,
    people.map(({ family, emails }) => [family, asCounts(emails)]),
  )

  const made = scoreEmails(half)
  for (const status of ['derived', 'guessed'] as const) {
    const list = made.answers.filter((answer) => answer.status === status)
    const right = list.filter((answer) => answer.right).length / Math.max(1, list.length)
    console.log(
      `  ${`${status}, of ${made.people} people`.padEnd(34)}${share(right)} right of ${list.length}, calibration error ${calibrationError(list).toFixed(3)}`,
    )
  }

  const titles = scoreTitles(half)
  console.log(
    `\nTitles, ${half}: seniority ${titles.seniority.toFixed(3)}, department ${titles.department.toFixed(3)} of ${titles.titles}`,
  )
}

const demo = await countDemoWeb({
  companies: Number(process.env['TALHOUSE_TEST_DEMO_COMPANIES'] ?? 40),
  today: new Date('2026-03-01T00:00:00Z'),
})
printTable('The demo web: company fields', demo.fields)
printTable('The demo web: people, by family of layouts', demo.people)
printTable('The demo web: e-mail addresses', [['published', demo.emails]])
printTable('The demo web: signals', demo.signals)
console.log(`\nThe demo web: ${demo.wrongStatus.length} sites with another status than planted`)
for (const one of demo.wrongStatus)
  console.log(`  ${one.domain}: planted ${one.planted}, answered ${one.answered} (${one.reason})`)
if (withDifferences) console.log(demo.differences.map((line) => `    ${line}`).join('\n'))
