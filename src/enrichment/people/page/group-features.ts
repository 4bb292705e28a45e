import { nameKey } from './name-key.ts'
import type { ScoredPair } from './pair-features.ts'

/**
 * Computes each pair's features from the other pairs in the same template: the number of names in the same position,
 * the probability that these names are people, and the number of these names that have a title in the same position as
 * this pair. `single` is the pair's probability in isolation.
 */
export function measureGroups(scored: readonly ScoredPair[]): Record<string, number>[] {
  const byPlace = Map.groupBy(scored, ({ pair }) => pair.name.place)
  const stats = new Map([...byPlace].map(([place, group]) => [place, groupOf(group)]))
  const rivals = Map.groupBy(scored, ({ pair }) => pair.name)
  const page = groupOf(scored)
  // Former staff and customers are often shown in the layout of the team, under another heading.
  const sections = new Map(
    [...byPlace.values()].flatMap((group) =>
      [...Map.groupBy(group, ({ pair }) => pair.heading).values()].flatMap((section) => {
        const group = groupOf(section)
        return section.map((one) => [one, group] as const)
      }),
    ),
  )
  return scored.map((one) => {
    const group = stats.get(one.pair.name.place) as Group
    const layout = layoutOf(one)
    const own = rivals.get(one.pair.name) ?? []
    const best = Math.max(...own.filter((other) => other !== one).map(({ probability }) => probability), 0)
    const section = sections.get(one) as Group
    const agreeing = group.layouts.get(layout)
    return {
      peers: Math.min(group.names, 30),
      peerMean: group.mean,
      peerLikely: group.likely,
      sectionNames: Math.min(section.names, 30),
      sectionMean: section.mean,
      sectionLikely: section.likely,
      peerName: group.nameMean,
      peerGiven: group.given,
      peerMail: group.mail,
      peerTelephone: group.telephone,
      peerPrice: group.price,
      peerQuote: group.quote,
      agreeing: Math.min(agreeing?.likely ?? 0, 30),
      agreeingShare: (agreeing?.likely ?? 0) / group.names,
      layoutMean: (agreeing?.sum ?? 0) / group.names,
      layoutTitle: agreeing ? agreeing.titles / agreeing.count : 0,
      layoutFilled: (agreeing?.count ?? 0) / group.names,
      layoutRank: group.ranked.indexOf(layout),
      distinct: agreeing ? agreeing.texts.size / agreeing.count : 0,
      margin: one.probability - best,
      pageLikely: Math.min(page.likely * page.names, 30),
      pageMean: page.mean,
      single: one.probability,
    }
  })
}

interface Layout {
  count: number
  sum: number
  likely: number
  titles: number
  texts: Set<string>
}

interface Group {
  names: number
  mean: number
  likely: number
  nameMean: number
  given: number
  mail: number
  telephone: number
  price: number
  quote: number
  layouts: Map<string, Layout>
  ranked: string[]
}

const layoutOf = ({ pair: { title } }: ScoredPair): string => `${title.relation} ${title.rows} ${title.place}`

function groupOf(group: readonly ScoredPair[]): Group {
  const best = new Map<string, ScoredPair>()
  const layouts = new Map<string, Layout>()
  for (const one of group) {
    const key = nameKey(one.pair.name.text)
    const known = best.get(key)
    if (!known || known.probability < one.probability) best.set(key, one)
    const layout = layouts.get(layoutOf(one)) ?? { count: 0, sum: 0, likely: 0, titles: 0, texts: new Set<string>() }
    layout.count++
    layout.sum += one.probability
    if (one.probability > 0.5) layout.likely++
    layout.titles += (one.pair.values['titleLetters'] ?? 0) + (one.pair.values['titleKnown'] ?? 0)
    layout.texts.add(one.pair.title.text)
    layouts.set(layoutOf(one), layout)
  }
  const all = [...best.values()]
  const mean = (measure: (one: ScoredPair) => number): number =>
    all.reduce((sum, one) => sum + measure(one), 0) / Math.max(all.length, 1)
  const meanOf = (feature: string): number => mean(({ pair }) => pair.values[feature] ?? 0)
  return {
    names: Math.max(all.length, 1),
    mean: mean(({ probability }) => probability),
    likely: mean(({ probability }) => (probability > 0.5 ? 1 : 0)),
    nameMean: mean(({ pair }) => pair.name.score),
    given: meanOf('given'),
    mail: meanOf('mailOfName'),
    telephone: meanOf('telephone'),
    price: meanOf('price'),
    quote: meanOf('quoteNear'),
    layouts,
    ranked: [...layouts].toSorted((a, b) => b[1].sum - a[1].sum).map(([layout]) => layout),
  }
}
