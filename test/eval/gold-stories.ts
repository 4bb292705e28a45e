import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameVariants } from '../../src/enrichment/signals/about/company-names.ts'
import type { StoryType } from '../../src/enrichment/signals/classify/model.ts'
import { STORY_TYPES } from '../../src/enrichment/signals/classify/model.ts'
import { maskNames } from '../../src/enrichment/signals/mask-names.ts'
import type { GoldAbout } from './gold-about.ts'
import type { GoldHeadline } from './gold-headlines.ts'

/** A published or invented story, labeled with its type and with the companies in it. */
export interface GoldStory extends GoldHeadline {
  /** The publication or feed that the story is from, or the author of an invented story. */
  source: string
  /** Companies that are main parties of the story. */
  about: string[]
  /** Companies that are only mentioned. */
  other: string[]
}

/**
 * Reads `stories.tsv` in a folder. Published stories are not part of the repository, invented ones are. The columns
 * `source`, `type`, `about`, `other`, `headline` and `lead` are separated by tabs, and the names of companies by
 * semicolons.
 */
export function readStories(folder: string): GoldStory[] {
  const lines = readFileSync(join(folder, 'stories.tsv'), 'utf8').split('\n').slice(1).filter(Boolean)
  return lines.map((line, index) => {
    const [source, label, about = '', other = '', headline, lead] = line.split('\t')
    const type = STORY_TYPES.find((one) => one === label)
    if (!source || !type || !headline) throw new Error(`stories.tsv line ${index + 2}: ${line}`)
    const names = (list: string) => list.split(';').filter(Boolean)
    return { source, type, about: names(about), other: names(other), headline, lead: lead || null }
  })
}

/** Masks the names of the companies, as `findSignals` does before it classifies a story. */
export function maskCompanies<T extends GoldStory>(story: T): T {
  return { ...story, ...maskNames(story, nameVariants([...story.about, ...story.other])) } as T
}

/** Returns one case for each company in the stories, known only by its name. */
export function aboutCases(stories: readonly GoldStory[]): (GoldAbout & { source: string; type: StoryType })[] {
  return stories.flatMap(({ source, type, about, other, headline, lead }) =>
    [...about.map((name) => ({ name, about: true })), ...other.map((name) => ({ name, about: false }))].map(
      ({ name, about: is }) => ({
        about: is,
        source,
        type,
        kind: '',
        company: { domain: `${name.toLowerCase().replace(/[^a-z0-9]/gu, '')}.com`, names: [name], places: [] },
        story: { url: 'https://news.example/story', headline, lead: lead ?? null, date: null },
      }),
    ),
  )
}
