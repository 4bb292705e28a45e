import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { mulberry32 } from '../../../src/demo/seeded-random.ts'
import type { GoldPerson } from './invented-people.ts'
import { generatePeople } from './invented-people.ts'
import { DEV_LAYOUTS } from './layouts-dev.ts'
import { HELD_OUT_LAYOUTS } from './layouts-held-out.ts'
import { LATE_LAYOUTS } from './layouts-late.ts'
import { LEARNED_LAYOUTS, LEARNED_NEGATIVES } from './layouts-learned.ts'
import { NEGATIVES } from './negatives.ts'
import type { Firm } from './page-frame.ts'
import { frame, inventFirm } from './page-frame.ts'
import { STRUCTURED } from './structured-layouts.ts'

/** A gold page in `index.json`; its HTML is in `file`. */
export interface GoldPage {
  file: string
  url: string
  family: string
  firm: Firm
  people: GoldPerson[]
}

const PAGES_A_FAMILY = 2

/** Regenerates both halves: `node test/eval/people-gold/make-gold.ts`. The output is committed. */
function makeHalf(half: 'dev' | 'held-out', layouts: typeof DEV_LAYOUTS, seed: number): void {
  const folder = new URL(`../../fixtures/gold/people/${half}/`, import.meta.url)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const random = mulberry32(seed)
  const pages: GoldPage[] = []
  const save = (family: string, path: string, people: GoldPerson[], firm: Firm, html: string): void => {
    const file = `${String(pages.length + 1).padStart(2, '0')}-${family.replaceAll(' ', '-')}.html`
    writeFileSync(new URL(file, folder), html)
    pages.push({ file, url: `https://${firm.domain}${path}`, family, firm, people })
  }
  for (const [family, draw] of Object.entries(layouts))
    for (let page = 0; page < PAGES_A_FAMILY; page++) {
      const firm = inventFirm(random, pages.length)
      const people = generatePeople(random, 3 + Math.floor(random() * 8))
      const content = draw(people, firm, random)
      // One page of each family also contains people from other organizations.
      const foreign =
        page === 1 ? Object.values(NEGATIVES[half])[pages.length % 2 === 0 ? 0 : 1]?.(generatePeople(random, 3)) : ''
      save(
        family,
        '/team',
        people,
        firm,
        frame(firm, random, page === 0 ? 'Our Team' : 'About', content + (foreign ?? '')),
      )
    }
  for (const [family, draw] of Object.entries(NEGATIVES[half])) {
    const firm = inventFirm(random, pages.length)
    save(`negative ${family}`, '/about', [], firm, frame(firm, random, 'Welcome', draw(generatePeople(random, 5))))
  }
  for (const [family, draw] of Object.entries(STRUCTURED)) {
    const firm = inventFirm(random, pages.length)
    const people = generatePeople(random, 4 + Math.floor(random() * 4))
    const { head, body } = draw(people, firm)
    save(`structured ${family}`, '/about', people, firm, frame(firm, random, 'About', body, head))
  }
  // These pages are generated last from a separate random sequence, so that the earlier pages do not change.
  const later = mulberry32(seed + 1)
  for (const [family, draw] of Object.entries(LEARNED_LAYOUTS)) {
    const firm = inventFirm(later, pages.length)
    const people = generatePeople(later, 4 + Math.floor(later() * 5))
    const content = draw(people, firm, later)
    save(`learned ${family}`, '/team', people, firm, frame(firm, later, 'Our Team', content))
  }
  for (const [family, draw] of Object.entries(LEARNED_NEGATIVES)) {
    const firm = inventFirm(later, pages.length)
    save(`negative learned ${family}`, '/about', [], firm, frame(firm, later, 'About', draw()))
  }
  writeFileSync(new URL('index.json', folder), `${JSON.stringify(pages, null, 1)}\n`)
}

if (import.meta.main) {
  makeHalf('dev', DEV_LAYOUTS, 20261)
  makeHalf('held-out', { ...HELD_OUT_LAYOUTS, ...LATE_LAYOUTS }, 77003)
}
