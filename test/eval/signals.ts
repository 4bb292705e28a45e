/**
 * `npm run eval -- signals [FOLDER]`: evaluates the classification of held-out headlines against a keyword baseline, the
 * detection of stories about the company, and the folding of duplicate stories. If FOLDER is given (see `readStories`),
 * evaluates the stories in it, as signals about companies known only by their names.
 */
import { classifyStory } from '../../src/enrichment/signals/classify/classify.ts'
import { judgeStory } from '../../src/enrichment/signals/judge-story.ts'
import { countKinds, readGoldAbout, scoreAbout } from './gold-about.ts'
import { scoreFolding } from './gold-fold.ts'
import { readGoldHeadlines } from './gold-headlines.ts'
import { aboutCases, maskCompanies, readStories } from './gold-stories.ts'
import { classifyByKeyword } from './keyword-baseline.ts'
import type { Judged } from './signal-scores.ts'
import { outcomeOf, scoreCalibration, scoreTypes } from './signal-scores.ts'

const percent = (value: number) => value.toFixed(3).padStart(9)

for (const split of process.argv.includes('--dev') ? (['dev'] as const) : (['held-out'] as const)) {
  const gold = readGoldHeadlines(split)
  const answers = gold.map((story) => ({ gold: story.type, ...classifyStory(story) }))
  const decided = scoreTypes(answers.map(({ gold, type }) => ({ gold, given: type })))
  const likeliest = scoreTypes(answers.map((answer) => ({ gold: answer.gold, given: answer.likeliest })))
  const keywords = scoreTypes(gold.map((story) => ({ gold: story.type, given: classifyByKeyword(story.headline) })))
  const { ece, bins } = scoreCalibration(answers.map((answer) => outcomeOf(answer.gold, answer)))
  console.log(`signals, ${split}: ${gold.length} headlines`)
  console.log(
    `${'type'.padEnd(18)}${['P', 'R', 'F1', 'n', 'keyw. P', 'keyw. F1'].map((name) => name.padStart(9)).join('')}`,
  )
  for (const [index, one] of decided.types.entries()) {
    const plain = keywords.types[index]
    console.log(
      `${one.type.padEnd(18)}${percent(one.precision)}${percent(one.recall)}${percent(one.f1)}${String(one.support).padStart(9)}${percent(plain?.precision ?? 0)}${percent(plain?.f1 ?? 0)}`,
    )
  }
  console.log(
    `macro-F1 ${decided.macroF1.toFixed(3)} (keywords ${keywords.macroF1.toFixed(3)}; without a threshold ${likeliest.macroF1.toFixed(3)})`,
  )
  console.log(
    `accuracy ${decided.accuracy.toFixed(3)} (keywords ${keywords.accuracy.toFixed(3)}), ECE ${ece.toFixed(3)}`,
  )
  for (const bin of bins)
    if (bin.count > 0)
      console.log(`  confidence ${bin.confidence.toFixed(2)}, accuracy ${bin.accuracy.toFixed(2)} (${bin.count})`)
}

for (const split of [
  'dev',
  'held-out',
  'namesakes-dev',
  'namesakes-held-out',
  'kinds-dev',
  'kinds-held-out',
  'fresh-dev',
  'fresh-held-out',
] as const) {
  const { precision, recall, count } = scoreAbout(readGoldAbout(split))
  console.log(`about this company, ${split}: P ${precision.toFixed(3)}, R ${recall.toFixed(3)} (${count} stories)`)
}
for (const { kind, right, count } of countKinds(readGoldAbout('kinds-held-out')))
  console.log(`  ${kind.padEnd(20)}${right} of ${count} right`)

const { same, folded, apart, kept } = scoreFolding()
console.log(`folding: ${folded} of ${same} pairs of one story folded, ${kept} of ${apart} pairs of two kept apart`)

const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--'))
if (folder !== undefined) {
  const stories = readStories(folder)
  const answers = stories.map((story) => ({ gold: story.type, ...classifyStory(maskCompanies(story)) }))
  printScores(
    `${stories.length} stories`,
    answers.map(({ gold, type }) => ({ gold, given: type })),
  )
  const { ece } = scoreCalibration(answers.map((answer) => outcomeOf(answer.gold, answer)))
  const cases = aboutCases(stories)
  const { precision, recall, count } = scoreAbout(cases)
  console.log(`ECE ${ece.toFixed(3)}; about this company: P ${precision.toFixed(3)}, R ${recall.toFixed(3)} (${count})`)
  printScores(
    `${cases.length} companies in these stories`,
    cases.map(({ about, type, story, company }) => {
      const verdict = judgeStory(story, company)
      return { gold: about ? type : 'none', given: verdict.about.about ? verdict.classification.type : 'none' }
    }),
  )
}

function printScores(label: string, judged: Judged[]): void {
  const shown = judged.filter(({ given }) => given !== 'none')
  const right = shown.filter(({ gold, given }) => gold === given).length
  console.log(
    `${label}: macro-F1 ${scoreTypes(judged).macroF1.toFixed(3)}, precision of signals ${(right / shown.length).toFixed(3)}`,
  )
}
