import { emailHash } from './strange-host.ts'
import type { Fields, StrangeWorld } from './strange-world.ts'
import { hostNow } from './strange-world.ts'

export type Random = () => number

const DAY = 86_400_000
const pick = <Item>(random: Random, items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item

/** Creates the data for the first nightly run: companies with people, news and history, and firms. */
export function firstNight(world: StrangeWorld, random: Random, size = { companies: 8, people: 4, firms: 70 }): void {
  world.updatedAt = new Map()
  for (let index = 0; index < size.companies; index += 1)
    addCompany(world, random, `company${index}.example`, size.people)
  for (let index = 0; index < size.firms; index += 1) world.firms.push(firm(10_000 + index))
}

/** Adds, changes and removes records before the next nightly run. */
export function nextNight(world: StrangeWorld, random: Random, night: number): void {
  addCompany(world, random, `new${night}.example`, 2)
  const leaving = pick(random, world.tal).domain
  world.tal = world.tal.filter(({ domain }) => domain !== leaving)
  for (const domain of new Set([pick(random, world.tal).domain, pick(random, world.tal).domain]))
    change(world, domain, 'name', `Renamed ${night} ${domain}`)
  const changing = pick(random, world.tal).domain
  const people = world.persons.get(changing) ?? []
  if (people.length > 0) {
    const leaver = pick(random, people)
    world.persons.set(
      changing,
      people.filter((person) => person !== leaver),
    )
  }
  const company = world.companies.get(changing)
  if (company) company['leadership'] = world.persons.get(changing)?.slice(0, 1) ?? []
  world.persons
    .get(changing)
    ?.push(person(`night${night}@${changing}`), { full_name: 'Kim Namesake', title: `Head ${night}` })
  touch(world, changing)
  const leaver = pick(random, world.firms)
  world.firms = world.firms.filter((each) => each !== leaver)
  world.firms.push(firm(20_000 + night))
  world.firms = world.firms.map((each, index) =>
    index % 9 === night ? { ...each, aum_total_usd: 5_000_000 + night } : each,
  )
}

/** Adds a record with a value that no column can store. */
export function addMisfit(world: StrangeWorld): void {
  const domain = 'misfit.example'
  world.tal.push({ domain })
  world.companies.set(domain, { domain, employee_count: 'many', enrichment_status: 'none' })
}

function addCompany(world: StrangeWorld, random: Random, domain: string, people: number): void {
  const enriched = random() < 0.5
  world.tal.push({ domain, source: pick(random, ['demo', 'sales']) })
  const persons = Array.from({ length: people }, (_, index) => person(`person${index}@${domain}`))
  const namesakes: Fields[] = [
    { full_name: 'Kim Namesake', title: 'Partner' },
    { full_name: 'Kim Namesake', title: 'Analyst' },
  ]
  world.companies.set(domain, {
    domain,
    name: `The ${domain} company`,
    employee_count: people,
    enrichment_status: enriched ? 'complete' : 'none',
    enriched_at: enriched ? wholeSecond(hostNow(world).getTime() - DAY) : null,
    leadership: persons.slice(0, 1),
    signals: [{ type: 'Hiring', headline: `${domain} hires`, date: '2026-01-02', url: `https://${domain}/n` }],
  })
  world.persons.set(domain, [...persons, ...namesakes])
  // Several events share a timestamp and do not fit on one page at some hosts.
  const started = wholeSecond(hostNow(world).getTime() - 20 * DAY)
  world.events.set(
    domain,
    ['A', 'B', `The ${domain} company`].map((name, index, names) => ({
      id: index + 9,
      field: 'name',
      old_value: names[index - 1] ?? null,
      new_value: name,
      changed_at: started,
    })),
  )
  for (let index = 0; index < people; index += 1)
    world.events.get(domain)?.push({
      id: index + 20,
      field: 'employee_count',
      old_value: index === 0 ? null : index,
      new_value: index + 1,
      changed_at: wholeSecond(hostNow(world).getTime() - 10 * DAY + index * 60_000),
    })
  for (const { email_hash } of persons)
    world.events.set(String(email_hash), [
      { id: 9, field: 'title', old_value: null, new_value: 'Partner', changed_at: started },
    ])
  touch(world, domain)
}

function change(world: StrangeWorld, domain: string, field: string, value: unknown): void {
  const company = world.companies.get(domain) ?? { domain }
  const events = world.events.get(domain) ?? []
  events.push({
    id: 100 + events.length,
    field,
    old_value: company[field] ?? null,
    new_value: value,
    changed_at: afterLatest(world, events),
  })
  world.events.set(domain, events)
  world.companies.set(domain, { ...company, [field]: value })
  touch(world, domain)
}

/**
 * Returns the current time, but at least a second after the latest event, because changes on different nights never
 * share the same second.
 */
function afterLatest(world: StrangeWorld, events: readonly { changed_at: string }[]): string {
  const now = hostNow(world).getTime()
  const recent = events.map((event) => Date.parse(event.changed_at)).filter((at) => Math.abs(at - now) < 10_000)
  return wholeSecond(Math.max(now, ...recent.map((at) => at + 1000)))
}

const touch = (world: StrangeWorld, domain: string): void =>
  void world.updatedAt?.set(domain, new Date(hostNow(world)).toISOString())

/** Truncates a time to the second, because some hosts report times in whole seconds. */
const wholeSecond = (moment: number): string => new Date(Math.floor(moment / 1000) * 1000).toISOString()

const firm = (number: number): Fields => ({
  sec_number: `801-${number}`,
  crd_number: number + 100_000,
  legal_name: `Firm ${number}`,
  region: number % 2 === 0 ? 'NYRO' : 'BRO',
  aum_total_usd: 1_000 * number,
})

const person = (email: string): Fields => ({
  email_hash: emailHash(email),
  email,
  full_name: `Invented ${email.split('@')[0]}`,
  title: 'Partner',
})
