/**
 * `npm run eval -- standards --microformats DIR --schema-org FILE`: runs our extractors on the h-card cases of the
 * microformats test suite and on schema.org's `examples.txt`. Neither is part of this repository. Prints the
 * differences by case, and totals. Takes a few seconds.
 */
import { parseArgs } from 'node:util'
import { runHCards } from './h-cards.ts'
import type { CaseResult } from './result.ts'
import { runSchemaOrg } from './schema-org.ts'

const { values } = parseArgs({
  options: { microformats: { type: 'string' }, 'schema-org': { type: 'string' }, differences: { type: 'boolean' } },
})

function report(title: string, results: CaseResult[]): void {
  console.log(`\n${title}`)
  for (const { name, missing, extra } of results.filter((one) => one.missing.length + one.extra.length > 0)) {
    console.log(`  ${name}: ${missing.length} missing, ${extra.length} more than stated`)
    if (values.differences)
      console.log([...missing.map((fact) => `    - ${fact}`), ...extra.map((fact) => `    + ${fact}`)].join('\n'))
  }
  for (const [format, group] of Map.groupBy(results, (one) => one.format)) {
    const sum = (count: (one: CaseResult) => number): number => group.reduce((total, one) => total + count(one), 0)
    const whole = group.filter((one) => one.missing.length + one.extra.length === 0).length
    console.log(
      `  ${format.padEnd(34)} ${whole} of ${group.length} cases equal; facts: ${sum((one) => one.right)} read, ${sum((one) => one.missing.length)} missing, ${sum((one) => one.extra.length)} more than stated`,
    )
  }
}

if (values.microformats) report('microformats test suite, cases with cards', runHCards(values.microformats))
if (values['schema-org'])
  report("schema.org's examples with people and organisations", runSchemaOrg(values['schema-org']))
if (!values.microformats && !values['schema-org'])
  console.log(
    'Name a copy of what is to be read: --microformats DIR, --schema-org FILE. --differences lists each fact.',
  )
