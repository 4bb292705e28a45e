/**
 * `npm run eval -- calibration`: prints the expected calibration error of each kind of estimate on held-out sets: the
 * mean difference between the stated confidence and the share of correct answers. People and facts are read from all
 * pages of the held-out sites, without the crawl.
 */
import { classifyStory } from '../../src/enrichment/signals/classify/classify.ts'
import { judgeStory } from '../../src/enrichment/signals/judge-story.ts'
import type { Answer } from './calibration-row.ts'
import { CALIBRATION_HEADING, calibrationRow } from './calibration-row.ts'
import { countCompanyPages } from './company.ts'
import { scoreManyEmails } from './emails.ts'
import { readGoldAbout } from './gold-about.ts'
import { readGoldHeadlines } from './gold-headlines.ts'
import { readSites } from './gold-sites.ts'
import { printRows } from './print-table.ts'
import { outcomeOf } from './signal-scores.ts'
import { givenPages, Score } from './site-scores.ts'
import { titleAnswers } from './titles.ts'

const sites = new Score()
for (const set of ['', 'independent/', ...['2', '3', '4', '5', '6', '7'].map((number) => `independent-${number}/`)])
  for (const site of readSites(`${set}held-out`)) sites.add(site, givenPages(site))

const emails = scoreManyEmails().answers
const about = (['held-out', 'kinds-held-out', 'namesakes-held-out', 'fresh-held-out'] as const).flatMap(readGoldAbout)

const kinds: [string, readonly Answer[]][] = [
  ['people: name and title', sites.answers.people],
  ['company facts on sites', sites.answers.facts],
  ['company fields of single pages', countCompanyPages('held-out').answers],
  ['headlines: type', readGoldHeadlines('held-out').map((story) => outcomeOf(story.type, classifyStory(story)))],
  [
    'headlines: about the company',
    about.map((one) => {
      const { confidence } = judgeStory(one.story, one.company).about
      // The confidence is the probability that the story is about the company.
      return confidence >= 0.5 ? { confidence, right: one.about } : { confidence: 1 - confidence, right: !one.about }
    }),
  ],
  ['titles: estimated seniority', titleAnswers('seniority')],
  ['titles: estimated department', titleAnswers('department')],
  ['e-mail addresses: derived', emails.filter(({ status }) => status === 'derived')],
  ['e-mail addresses: guessed', emails.filter(({ status }) => status === 'guessed')],
]

printRows(
  CALIBRATION_HEADING,
  kinds.map(([kind, answers]) => calibrationRow(kind, answers)),
)
