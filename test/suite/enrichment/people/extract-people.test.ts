import { describe, expect, test } from 'vitest'
import { precision, recall, scorePeople, total } from '../../../eval/people.ts'
import { cpuSeconds } from '../../../helpers/cpu-seconds.ts'
import { readPeople, titledNames } from '../../../helpers/people-on-page.ts'

describe('on the held-out half of the gold set', () => {
  const scores = scorePeople('held-out')
  const structured = scores.filter(({ family }) => family.startsWith('structured'))
  const layouts = scores.filter(({ family }) => !family.startsWith('structured'))

  test('reads names with titles in at least twelve held-out layout families with precision 0.92 and recall 0.80', () => {
    expect(layouts.filter(({ family }) => !family.startsWith('negative')).length).toBeGreaterThanOrEqual(12)
    const pairsFound = total(layouts, 'pairs')
    expect(pairsFound.right).toBeGreaterThan(150)
    expect(precision(pairsFound)).toBeGreaterThanOrEqual(0.92)
    expect(recall(pairsFound)).toBeGreaterThanOrEqual(0.8)
  })

  test('reads people in held-out structured data with precision and recall 0.98', () => {
    const pairsFound = total(structured, 'pairs')
    expect(pairsFound.right).toBeGreaterThan(15)
    expect(precision(pairsFound)).toBeGreaterThanOrEqual(0.98)
    expect(recall(pairsFound)).toBeGreaterThanOrEqual(0.98)
  })
})

test("accepts an unknown job title in the position of other people's titles", () => {
  const card = (name: string, title: string) => `<div><h3>${name}</h3><p>${title}</p></div>`
  expect(
    titledNames(
      `<h1>Team</h1>${card('Anna Doe', 'CEO')}${card('Ben Doe', 'Zythologist-in-Residence')}${card('Cleo Doe', 'VP')}`,
    ),
  ).toEqual([
    ['Anna Doe', 'CEO'],
    ['Ben Doe', 'Zythologist-in-Residence'],
    ['Cleo Doe', 'VP'],
  ])
})

test('does not return contact persons of dealers', () => {
  const row = (city: string, company: string, contact: string) =>
    `<tr><td>${city}</td><td>${company}</td><td>${contact}</td></tr>`
  expect(
    titledNames(
      `<h1>Dealers</h1><table>${row('Leeds', 'Brown Motors Ltd', 'Ann Brown (Owner)')}${row('York', 'Kerr & Sons Ltd', 'Ben Kerr (Manager)')}</table>`,
      'https://acme.example/dealers',
    ),
  ).toEqual([])
})

test('returns no people below a heading that contains a word about other people', () => {
  const list = (heading: string, people: string[]) =>
    `<section><h2>${heading}</h2><ul>${people.map((one) => `<li><b>${one.replace(', ', '</b><br>')}</li>`).join('')}</ul></section>`
  expect(
    titledNames(
      list('Management', ['Anna Doe, Managing Partner', 'Ben Roe, Portfolio Analyst']) +
        list('Our investors and friends', ['Cleo Poe, Founding Partner', 'Dan Moe, Founder, Moe Shipping']),
      'https://acme.example/stewards',
    ),
  ).toEqual([
    ['Anna Doe', 'Managing Partner'],
    ['Ben Roe', 'Portfolio Analyst'],
  ])
})

test('reads names in capitals whose given and family names are in separate elements', () => {
  const card = (given: string, family: string, title: string) =>
    `<div><p><span>${given} </span><span>${family}</span></p><p>${title}</p></div>`
  expect(
    titledNames(`<h1>Team</h1>${card('ANNA', 'DOE', 'Head of Sales')}${card('BEN', 'BURY', 'Chief Engineer')}`),
  ).toEqual([
    ['Anna Doe', 'Head of Sales'],
    ['Ben Bury', 'Chief Engineer'],
  ])
})

test('returns founders in structured data only if they have a title', () => {
  const founder = [
    { '@type': 'Person', name: 'Anna Doe', jobTitle: 'Chair' },
    { '@type': 'Person', name: 'Ben Roe' },
  ]
  const company = { '@context': 'https://schema.org', '@type': 'Organization', name: 'Acme Capital', founder }
  expect(titledNames(`<script type="application/ld+json">${JSON.stringify(company)}</script>`)).toEqual([
    ['Anna Doe', 'Chair'],
  ])
})

test('returns no founder without a title from prose', () => {
  const cards = ['Anna Doe', 'Ben Roe'].map((name) => `<div><h3>${name}</h3><p>Partner</p></div>`).join('')
  expect(
    titledNames(`<h1>Team</h1>${cards}<p>Acme Capital was founded by Cleo Poe in a small workshop by the river.</p>`),
  ).toEqual([
    ['Anna Doe', 'Partner'],
    ['Ben Roe', 'Partner'],
  ])
})

test('does not return authors of quotations in script data', () => {
  const quotes = [
    { text: 'Great.', namn: 'Anna Doe', roll: 'Director, Customer Inc' },
    { text: 'Good.', namn: 'Ben Roe', roll: 'Manager, Client Ltd' },
  ]
  expect(
    titledNames(`<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ citat: quotes })}</script>`),
  ).toEqual([])
})

test('finds two people of a small firm by given names of any country', () => {
  const card = (name: string, title: string) => `<div><h4>${name}</h4><p>${title}<br>Many years of it.</p></div>`
  expect(
    titledNames(
      `<h1>Our Team</h1>${card('Trupti Thimblewood', 'CO-FOUNDER & CHAIRMAN')}${card('Halima Inkpenn', 'DIRECTOR')}`,
    ),
  ).toEqual([
    ['Trupti Thimblewood', 'CO-FOUNDER & CHAIRMAN'],
    ['Halima Inkpenn', 'DIRECTOR'],
  ])
})

test('does not read degrees under a name as a name, or an employer in the title’s place as a title', () => {
  const card = (name: string, below: string[]) =>
    `<div><h4>${name}</h4>${below.map((line) => `<p>${line}</p>`).join('')}</div>`
  expect(
    titledNames(
      `<h1>Our Team</h1>${card('Anna Doe', ['B.E.,M.Tech.', 'Head of Research'])}${card('Ben Doe', ['DCE.,B.E. (Civil)', 'Head of Operations'])}${card('Carla Doe', ['M.E B.E.', 'Head of Finance'])}`,
    ),
  ).toEqual([
    ['Anna Doe', 'Head of Research'],
    ['Ben Doe', 'Head of Operations'],
    ['Carla Doe', 'Head of Finance'],
  ])
  expect(
    titledNames(
      `<h1>Board</h1>${card('Anna Doe', ['CHIEF EXECUTIVE OFFICER'])}${card('Ben Doe', ['INKWELL CAPITAL'])}${card('Carla Doe', ['CHAIR'])}`,
    ),
  ).toContainEqual(['Ben Doe', null])
})

test('returns no title for a person who is shown without a title', () => {
  const people = readPeople(
    '<h1>Team</h1><div><h3>Anna Doe</h3><p>CEO</p></div><div><h3>Ben Doe</h3><p>CFO</p></div><div><h3>Eva Doe</h3></div>',
  )
  expect(people.find(({ full_name }) => full_name === 'Eva Doe')).toMatchObject({
    title: null,
    seniority: null,
    department: null,
  })
})

test('merges a name in two scripts into one person', () => {
  expect(
    titledNames(
      '<h1>チーム</h1><ul><li><b>Aiko Muster</b><i>見本 愛子</i><p>CEO</p></li><li><b>Ken Muster</b><i>見本 健</i><p>Managing Director</p></li><li><b>Mei Muster</b><i>見本 芽衣</i><p>CFO</p></li></ul>',
    ),
  ).toEqual([
    ['Aiko Muster', 'CEO'],
    ['Ken Muster', 'Managing Director'],
    ['Mei Muster', 'CFO'],
  ])
})

test("merges a person's entries in the grid and in a dialog", () => {
  const people = titledNames(
    '<h1>Team</h1><div><h4>Anna Doe</h4><p>CEO</p></div><div><h4>Ben Doe</h4><p>CFO</p></div><div><h2>Anna Q. Doe</h2><p>CEO</p></div>',
  )
  expect(people).toEqual([
    ['Anna Q. Doe', 'CEO'],
    ['Ben Doe', 'CFO'],
  ])
})

test('assigns an address, a telephone number and a profile to the person on the same card', () => {
  const card = (name: string, title: string, local: string) =>
    `<div><h3>${name}</h3><p>${title}</p><a href="mailto:${local}@acme.example?subject=Hi">Mail</a><a href="tel:+15550100">Call</a><a href="https://www.linkedin.com/in/${local}/">in</a></div>`
  expect(readPeople(`<h1>Team</h1>${card('Anna Doe', 'CEO', 'anna')}${card('Ben Doe', 'CFO', 'bdoe')}`)).toMatchObject([
    {
      full_name: 'Anna Doe',
      email: 'anna@acme.example',
      email_status: 'published',
      phone: '+15550100',
      social_url: 'https://www.linkedin.com/in/anna/',
    },
    { full_name: 'Ben Doe', email: 'bdoe@acme.example' },
  ])
})

test('excludes contact links at the end of a line from the title', () => {
  const line = (name: string, title: string) =>
    `<p>${name}, ${title} <a href="mailto:x@acme.example">x@acme.example</a> <a href="https://social.example/in/x">LinkedIn</a></p>`
  expect(
    titledNames(`<h1>Team</h1>${line('Anna Doe', 'Founder and CEO')}${line('Ben d’Aubépine-Doe', 'Associate')}`),
  ).toEqual([
    ['Anna Doe', 'Founder and CEO'],
    ['Ben d’Aubépine-Doe', 'Associate'],
  ])
})

test('finds a name in a script without capitals among other names', () => {
  const card = (name: string, title: string) => `<div><h3>${name}</h3><p>${title}</p></div>`
  expect(
    titledNames(
      `<h1>Team</h1>${card('Anna Doe', 'CEO')}${card('ليلى الخيالية', 'Portfolio Manager')}${card('Ben Doe', 'CFO')}`,
    ),
  ).toContainEqual(['ليلى الخيالية', 'Portfolio Manager'])
})

test('does not assign a shared mailbox to a person', () => {
  const card = (name: string) => `<div><h3>${name}</h3><p>Partner</p><p>info@acme.example</p></div>`
  expect(readPeople(`<h1>Team</h1>${card('Anna Doe')}${card('Ben Doe')}`).map(({ email }) => email)).toEqual([
    null,
    null,
  ])
})

test('ignores authors and people of other organizations in structured data', () => {
  const data = {
    '@graph': [
      {
        '@type': 'Person',
        name: 'Anna Doe',
        jobTitle: 'CEO',
        worksFor: { '@type': 'Organization', name: 'Acme Capital' },
      },
      {
        '@type': 'Person',
        name: 'Ben Roe',
        jobTitle: 'CEO',
        worksFor: { '@type': 'Organization', name: 'Otherwhere Ltd' },
      },
      { '@type': 'Article', author: { '@type': 'Person', name: 'Cleo Poe', jobTitle: 'Analyst' } },
    ],
  }
  const script = `<script type="application/ld+json">${JSON.stringify(data)}</script>`
  expect(titledNames(script)).toEqual([['Anna Doe', 'CEO']])
})

test('reads hostile pages with deep nesting or extreme length in limited time', async () => {
  const spent = await cpuSeconds(() => {
    readPeople(`${'<div>'.repeat(1_000)}<b>Anna Doe</b>, CEO`)
    readPeople('<p>Anna Doe</p><p>CEO</p>'.repeat(2_500))
    readPeople(`<p>${'Anna Doe, '.repeat(12_500)}</p>`)
  })
  expect(spent).toBeLessThan(10)
})

describe('a team page with unusual wording', () => {
  const card = (name: string, title: string) => `<div><h3>${name}</h3><p>${title}</p></div>`

  test('does not treat an employer after a title as a person', () => {
    expect(
      titledNames('<h1>Board</h1><p>Anna Doe<br>Financial Advisor, Edwin Mock</p><p>Ben Doe<br>Chair, Ethics</p>'),
    ).toEqual([
      ['Anna Doe', 'Financial Advisor, Edwin Mock'],
      ['Ben Doe', 'Chair, Ethics'],
    ])
  })

  test('recognizes an ordinary word as a family name by its position among other names', () => {
    expect(
      titledNames(
        `<h1>Team</h1>${card('Anna Doe', 'CEO')}${card('Ben Painter', 'CFO')}${card('Our Values', 'Read more')}`,
      ),
    ).toEqual([
      ['Anna Doe', 'CEO'],
      ['Ben Painter', 'CFO'],
    ])
    expect(titledNames(`<h1>About</h1><div><h3>Ben Painter</h3><p>Walls and ceilings</p></div>`)).toEqual([])
  })

  test('reads people next to quotations as staff only if there are no other people, and never under a customer heading', () => {
    const motto = (name: string) =>
      `<div class="card"><h3>${name}</h3><p>Partner</p><blockquote>“A plan is worth as much as the people who keep it alive.”</blockquote></div>`
    const cards = ['Anna Doe', 'Ben Doe', 'Cleo Doe'].map(motto).join('')
    expect(titledNames(`<h1>Our Team</h1>${cards}`)).toHaveLength(3)
    expect(titledNames(`<h1>About us</h1><h2>Happy Clients</h2>${cards}`)).toEqual([])
  })

  test('prefers a title in the name’s line to a label over every card', () => {
    const labeled = (name: string, title: string) =>
      `<div><span>Staff Member, Head Office</span><h3>${name} – ${title}</h3></div>`
    expect(
      titledNames(
        `<h1>Our Team</h1>${labeled('Anna Doe', 'Chief Coordinator')}${labeled('Ben Doe', 'Managing Trustee')}${labeled('Cleo Doe', 'Programme Associate')}`,
      ),
    ).toEqual([
      ['Anna Doe', 'Chief Coordinator'],
      ['Ben Doe', 'Managing Trustee'],
      ['Cleo Doe', 'Programme Associate'],
    ])
  })

  test('recognizes a single given name by its position among full names, but not a heading in that position', () => {
    expect(
      titledNames(
        `<h1>Our Team</h1>${card('Anna Doe', 'CEO')}${card('Ben Roe', 'CFO')}${card('Zvanhilde', 'Nurse Manager')}${card('Operations', 'Head Nurse')}`,
      ),
    ).toEqual([
      ['Anna Doe', 'CEO'],
      ['Ben Roe', 'CFO'],
      ['Zvanhilde', 'Nurse Manager'],
    ])
  })

  test('uses a heading as the title of a single name under it, not of several names', () => {
    expect(
      titledNames(
        '<h1>Board</h1><h3>Treasurer</h3><p>Anna Doe</p><h3>Secretary</h3><p>Ben Doe</p><h3>Director of Programs</h3><p>Cleo Doe</p><p>Dan Doe</p><h3>Contact</h3>',
      ),
    ).toEqual(
      expect.arrayContaining([
        ['Anna Doe', 'Treasurer'],
        ['Ben Doe', 'Secretary'],
      ]),
    )
  })

  test('never returns placeholders, dogs or headings as people', () => {
    expect(
      titledNames(`<h1>Our Team</h1>${card('Full Name', 'Designation')}${card('[Treasurer’s Full Name]', 'Treasurer')}${card('Biscuit', 'Office Dog')}
        ${card('Romance Scam', 'Asset Recovery')}`),
    ).toEqual([])
  })
})
