import { emailHash } from '../helpers/strange-host.ts'
import type { StrangeWorld } from '../helpers/strange-world.ts'

const COMPANIES = 20
const DAY = 86_400_000
const START = Date.now()
const daysAgo = (days: number): string => new Date(START - days * DAY).toISOString()

/** Creates the first day's data: companies of various ages with people, news, firms and history. */
export function firstDay(world: StrangeWorld): void {
  world.enrichedAt = daysAgo(0.01)
  for (let index = 0; index < COMPANIES; index += 1) addCompany(world, index)
  for (let index = 0; index < 140; index += 1) world.firms.push(firm(index))
}

/**
 * Changes the data to the second day's: adds, removes and changes records. Some of the changed records can no longer be
 * stored.
 */
export function secondDay(world: StrangeWorld): void {
  world.tal = world.tal.filter(({ domain }) => domain !== 'company3.example')
  for (const index of [COMPANIES, COMPANIES + 1]) addCompany(world, index)
  for (let index = 0; index < COMPANIES; index += 4) {
    const domain = `company${index}.example`
    world.companies.set(domain, {
      ...world.companies.get(domain),
      name: `Renamed ${index}`,
      employee_count: 100 + index,
    })
    world.events.get(domain)?.push(event('name', `Company ${index}`, `Renamed ${index}`, 0.5))
  }
  // One person is erased, one is new, and one company is rejected.
  world.persons.set('company4.example', (world.persons.get('company4.example') ?? []).slice(1))
  world.persons.get('company5.example')?.push(person('new5@company5.example'))
  world.companies.set('company6.example', { domain: 'company6.example', employee_count: 'many' })
  world.events
    .get('company8.example')
    ?.push(event('phone', null, '555', 0.4), { ...event('x', 1, 2, 0.3), changed_at: 'soon' })
  world.firms = world.firms
    .filter((_, index) => index % 70 !== 3)
    .map((record, index) => (index % 5 === 0 ? { ...record, aum_total_usd: 5_000_000 + index } : record))
    .map((record, index) => (index === 17 ? { ...record, aum_total_usd: 'much' } : record))
  for (let index = 140; index < 150; index += 1) world.firms.push(firm(index))
}

const firm = (index: number): Record<string, unknown> => ({
  sec_number: `801-${10_000 + index}`,
  legal_name: `Firm ${index}`,
  region: index % 2 === 0 ? 'NYRO' : 'BRO',
  aum_total_usd: 1_000_000 * index,
})

function addCompany(world: StrangeWorld, index: number): void {
  const domain = `company${index}.example`
  const enriched = index % 3 === 0 ? undefined : daysAgo(index * 4)
  const people = Array.from({ length: index % 3 }, (_, number) => person(`person${number}@${domain}`))
  world.tal.push({ domain, ...(index % 2 === 0 && { source: 'demo' }) })
  world.companies.set(domain, {
    domain,
    name: `Company ${index}`,
    employee_count: index,
    enrichment_status: enriched ? 'complete' : 'none',
    ...(enriched && { enriched_at: enriched }),
    leadership: people.slice(0, 1),
    signals:
      index % 4 === 0
        ? [{ type: 'Hiring', headline: `News of ${index}`, date: '2026-01-02', url: `https://${domain}/n` }]
        : [],
  })
  world.persons.set(domain, people)
  world.events.set(domain, [event('employee_count', null, index, 9), event('name', null, `Company ${index}`, 9.5)])
  for (const { email_hash } of people) world.events.set(String(email_hash), [event('title', null, 'Partner', 8)])
}

const person = (email: string): Record<string, unknown> => ({
  email_hash: emailHash(email),
  email,
  full_name: `Invented ${email.split('@')[0]}`,
  title: 'Partner',
})

const event = (field: string, oldValue: unknown, newValue: unknown, days: number) => ({
  field,
  old_value: oldValue,
  new_value: newValue,
  changed_at: daysAgo(days),
})
