import { describe, expect, test } from 'vitest'
import { readPeople, titledNames } from '../../../helpers/people-on-page.ts'

describe('people in script data combined with people on the page', () => {
  const card = (name: string, title: string) => `<div><h3>${name}</h3><p>${title}</p></div>`
  const cards = `<h1>Our team</h1>${card('Ada Byron', 'CEO')}${card('Ben Okri', 'Head of Design')}`
  const script = (data: unknown) => `<script type="application/json">${JSON.stringify(data)}</script>`
  const names = (body: string) => titledNames(body).map(([name]) => name)

  test('excludes people who are only in script data, if their list is not known to contain staff', () => {
    const items = [
      { name: 'Cleo Martin', role: 'Head of Sales' },
      { name: 'Dan Novak', role: 'CFO' },
    ]
    expect(names(cards + script({ items }))).toEqual(['Ada Byron', 'Ben Okri'])
    expect(names(cards + script({ team: items }))).toHaveLength(4)
    expect(names(script({ items }))).toEqual(['Cleo Martin', 'Dan Novak'])
  })

  test('excludes people in script data whom the page shows under a heading about customers', () => {
    const items = [
      { name: 'Cleo Martin', role: 'Head of Sales' },
      { name: 'Dan Novak', role: 'CFO' },
    ]
    const customers = `<h1>What our customers say</h1>${items.map(({ name, role }) => card(name, role)).join('')}`
    expect(names(cards + customers + script({ items }))).toEqual(['Ada Byron', 'Ben Okri'])
  })

  test('excludes undetermined lists of people if another list is known to contain staff', () => {
    const team = [
      { name: 'Ada Byron', role: 'CEO' },
      { name: 'Ben Okri', role: 'Head of Design' },
    ]
    const items = [
      { name: 'Cleo Martin', role: 'Head of Sales' },
      { name: 'Dan Novak', role: 'CFO' },
    ]
    expect(names(script({ team, items }))).toEqual(['Ada Byron', 'Ben Okri'])
  })

  test.each([
    ['before', (featured: object, team: object) => ({ featured, team })],
    ['after', (featured: object, team: object) => ({ team, featured })],
  ])('keeps staff who are also in an undetermined list %s the list of staff', (_, together) => {
    const team = [
      { name: 'Ada Byron', role: 'CEO' },
      { name: 'Ben Okri', role: 'Head of Design' },
      { name: 'Cleo Martin', role: 'Head of Sales' },
      { name: 'Dan Novak', role: 'CFO' },
    ]
    expect(names(script(together(team.slice(0, 2), team))).toSorted()).toEqual(team.map(({ name }) => name))
  })

  test('excludes people within records of quotations', () => {
    const quotation = (quote: string, client: string, name: string, role: string) => ({
      quote,
      client,
      person: { name, role },
    })
    const blocks = [
      quotation('They built it well.', 'Brown Ltd', 'Cleo Martin', 'CEO'),
      quotation('A pleasure.', 'Kerr Ltd', 'Dan Novak', 'CFO'),
    ]
    expect(names(script({ blocks }))).toEqual([])
  })

  test('keeps people in script data with similar names and equal titles whom the page mentions', () => {
    const team = [
      { name: 'Adam Byron', role: 'CEO' },
      { name: 'Ben Okri', role: 'Head of Design' },
    ]
    expect(
      names(`${cards}<p>Call Adam Byron today to learn about all of our offers.</p>${script({ team })}`),
    ).toContain('Adam Byron')
  })

  test.each([
    ['Ada Byron', 'Adelaide Byron'],
    ['Ada Byron', 'A. Byron'],
    ['Ada Byron', 'Ada M. Byron'],
    ['Jörg Müller', 'Jorg Muller'],
    ['Jörg Müller', 'Joerg Mueller'],
    ['Łukasz Kjær', 'Lukasz Kjaer'],
  ])('keeps the spelling %s on the page over %s with the same title', (shown, name) => {
    const team = [
      { name, role: 'CEO', email: 'office@acme.example' },
      { name: 'Ben Okri', role: 'Head of Design' },
    ]
    const body = `<h1>Our team</h1>${card(shown, 'CEO')}${card('Ben Okri', 'Head of Design')}${script({ team })}`
    const people = readPeople(body)
    expect(people.map(({ full_name }) => full_name).toSorted()).toEqual([shown, 'Ben Okri'].toSorted())
    expect(people.find(({ full_name }) => full_name === shown)?.email).toBe('office@acme.example')
  })

  test('keeps relatives who have different titles', () => {
    const team = [
      { name: 'Cleo Byron', role: 'Head of Sales' },
      { name: 'Ben Okri', role: 'Head of Design' },
    ]
    expect(names(cards + script({ team }))).toContain('Cleo Byron')
  })
})
