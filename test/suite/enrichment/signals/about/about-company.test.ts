import { expect, test } from 'vitest'
import { judgeAbout } from '../../../../../src/enrichment/signals/about/about-company.ts'
import { judgeStory } from '../../../../../src/enrichment/signals/judge-story.ts'
import { readGoldAbout, scoreAbout } from '../../../../eval/gold-about.ts'

const story = (headline: string, lead: string | null = null) => ({
  url: 'https://news.example/story',
  headline,
  lead,
  date: null,
})
const judge = (name: string, domain: string, headline: string, lead: string | null = null) =>
  judgeStory(story(headline, lead), { domain, names: [name] }).about

test('recognizes stories about unseen companies with precision 0.94 and recall 0.88', () => {
  const { precision, recall } = scoreAbout(readGoldAbout('held-out'))
  expect(precision).toBeGreaterThanOrEqual(0.94)
  expect(recall).toBeGreaterThanOrEqual(0.88)
})

test('recognizes stories about the company among namesakes, family names, places and passing mentions with precision 0.88 and recall 0.95', () => {
  const { precision, recall } = scoreAbout(readGoldAbout('namesakes-held-out'))
  expect(precision).toBeGreaterThanOrEqual(0.88)
  expect(recall).toBeGreaterThanOrEqual(0.95)
})

test('recognizes stories about the company with a precision of at least 4 in 5 on 33 kinds of unseen traps', () => {
  const { precision, recall } = scoreAbout(readGoldAbout('kinds-held-out'))
  expect(precision).toBeGreaterThanOrEqual(0.8)
  expect(recall).toBeGreaterThanOrEqual(0.95)
})

test.each([
  ['Osmo', 'osmo.ai', 'Isaacman planning to meet Roscosmos head'],
  ['The Boring Company', 'boringcompany.com', 'Blackstone backs Neysa in a boring but big bet'],
  ['Nimblepay Inc.', 'nimblepay.com', 'Former Nimblepay CFO joins Tabbed as finance chief'],
  ['Nimblepay Inc.', 'nimblepay.com', 'Paywren, a Nimblepay rival, raises $25M'],
  ['Alder & Finch Wealth, LLC', 'alderfinch.com', 'Alder Bank opens third branch'],
  ['Summit Financial', 'summitfin.com', 'Summit Financial Group raises $10 million'],
  ['Orbit Fab', 'orbitfab.com', 'Satellite Reaches Orbit, Fab Says'],
  ['Clearwater', 'clearwater.com', 'Clearwater Paper Posts Quarterly Loss'],
  ['Calder Group plc', 'caldergroup.com', 'Subcontractor of Calder Group goes under'],
  ['Larkin Wealth Management', 'larkinwealth.com', 'Advisor Leaves Larkin Wealth for Raymond James'],
  ['Lantern', 'lantern.example', 'Lantern festival draws thousands'],
  ['Norling AB', 'norling.example', 'Norling scores twice in derby'],
  ['Halden Freight', 'halden.example', 'Halden Freight Tools recalls jacks'],
  ['Parcel & Finch LLP', 'pf.example', 'Employment bill will cost firms, says Parcel & Finch partner'],
  ['Deverell Wealth LLC', 'dw.example', 'Deverell Wealth sells 4,000 shares of retailer'],
  ['Bramwell Tyre plc', 'bt.example', 'Supplier to Bramwell Tyre enters administration'],
])('rejects a story with a substring, a namesake or a passing mention: %s', (name, domain, headline) => {
  expect(judge(name, domain, headline).about).toBe(false)
})

test('accepts a story about either side of a deal and returns the reason', () => {
  expect(judge('Quillmark', 'quillmark.com', 'Harrow Peak leads $40M round in Quillmark')).toMatchObject({
    about: true,
    reason: 'name in the headline',
  })
  expect(judge('Hollins Wealth LLC', 'hollins.com', 'Deep River buys tax practice from Hollins Wealth').about).toBe(
    true,
  )
})

test.each([
  ['Ridley, Cho & Partners', 'Ridley, Cho & Partners promotes seven to partner'],
  ['Novalis Água S.A.', 'Novalis Agua S.A. wins desalination contract'],
  ['JBK Engineering Ltd', 'JBK Engineering Ltd fined over scaffold fall'],
  ['Ostrava Foods Group', 'Ostrava Foods unit to build dumpling plant'],
])('recognizes %s with its comma, its dots, its letters and its unit', (name, headline) => {
  expect(judge(name, 'x.example', headline).about).toBe(true)
})

test.each([
  ['Open River', 'Open River announces changes to its tariff'],
  ['K.L. Harrow', 'K.L. HARROW UNVEILS WINTER RANGE'],
  ['Quillmark.com', 'Quillmark.com Welcomes Nurse to Board'],
  ['Open River Supply', 'Open River Supply in its fortieth year'],
  ['7Larch', '7LARCH WINS SERVICE AWARD'],
  ['Quill Harbor', 'Quill Harbor Holding Limited Signs Letter of Intent'],
  ['Quillmark', 'Quillmark Spain Recognised Among Best Employers'],
])('recognizes %s as the subject of a headline: %s', (name, headline) => {
  expect(judge(name, 'x.example', headline).about).toBe(true)
})

test('skips the dateline before the company that a lead names first', () => {
  const lead = 'HOUSTON, July 19, 2024 (GLOBE NEWSWIRE) -- Quillmark today opened a plant.'
  expect(judge('Quillmark', 'x.example', 'New Plant Opens', lead)).toMatchObject({
    about: true,
    reason: 'named first in the lead',
  })
})

test.each([
  ['Quillmark', 'Borden Receives Distributor of the Year Award From Quillmark'],
  ['Quillmark', 'Quillmark Recognizes Borden for Safety'],
  ['Quillmark', "Borden Named Best Mailer to Quillmark's Top 1000 Shops"],
])('rejects %s as the giver of an award: %s', (name, headline) => {
  expect(judge(name, 'x.example', headline)).toMatchObject({ about: false, reason: '"quillmark" gives the award' })
})

test('requires the domain or the place next to a common company name', () => {
  expect(judge('Beacon', 'beacon.io', 'Beacon raises $9M').about).toBe(false)
  expect(
    judge('Beacon', 'beacon.io', 'Beacon raises $9M', 'The company, at beacon.io, said so on Monday.'),
  ).toMatchObject({
    about: true,
    reason: 'name in the headline, its domain beacon.io is mentioned',
  })
  const placed = { domain: 'beacon.io', names: ['Beacon'], places: ['Toronto'] }
  expect(judgeStory(story("Toronto's Beacon raises $9M"), placed).about.about).toBe(true)
})

test('accepts a name in lower case only if the company writes it in lower case', () => {
  expect(judge('quillspace', 'quillspace.example', 'quillspace opens plant in Ohio').about).toBe(true)
  expect(judge('Quillspace', 'quillspace.example', 'New quillspace opens in Ohio').about).toBe(false)
})

test('accepts the name of a well-known company that is also a common word', () => {
  expect(judge('Apple', 'apple.com', 'Apple opens store in Mumbai').about).toBe(true)
})

test.each([
  ['Quillmark', 'Regulator Opens Inquiry Against Quillmark'],
  ['Quillmark', 'Quillmark Readies Second Plant in Ohio'],
  ['J. Quillmark Foods', 'J. Quillmark Foods Appoints Finance Chief'],
])('does not treat the words around %s as part of its name: %s', (name, headline) => {
  expect(judge(name, 'x.example', headline).reason).not.toContain('is another name')
})

test('judges the same mention by the type of the story', () => {
  const text = story('Borden Secures Second Plant From Quillmark')
  const company = { domain: 'quillmark.example', names: ['Quillmark'] }
  const [sale, prize] = (['Acquisition', 'Award'] as const).map(
    (type) => judgeAbout(text, company, { type }).confidence,
  )
  expect(sale).toBeGreaterThan(prize as number)
})

test('accepts lower-case words inside a company name', () => {
  expect(
    judge('First National Bank of Alton', 'fnbalton.com', 'First National Bank of Alton Names New President').about,
  ).toBe(true)
})

test('does not accept a longer domain as evidence that a story is about the company', () => {
  const { reason } = judge('Beacon', 'beacon.io', 'Beacon raises $9M', 'More at lighthouse-beacon.io today.')
  expect(reason).not.toContain('is mentioned')
})

test('accepts stories of the company’s own site', () => {
  const verdict = judgeAbout(
    story('We have moved to a bigger office'),
    { domain: 'x.io', names: ['Xylo'] },
    { type: 'Expansion', own: true },
  )
  expect(verdict).toMatchObject({ about: true, reason: "published on the company's own site x.io" })
})

test('rejects third-party stories that do not contain a known name of the company', () => {
  const verdict = judgeAbout(story('Beacon raises $9M'), { domain: 'beacon.io', names: [] }, { type: 'Funding' })
  expect(verdict.about).toBe(false)
})

test('recognizes the short name in the headline if the lead contains the full name with a ticker', () => {
  const headline = 'Halden Secures $66 Million in Private Placement'
  const lead = 'OSLO, July 9, 2025 – Halden Freight Systems Ltd. (NASDAQ: HALD) today announced a private placement.'
  expect(judge('Halden Freight Systems Ltd.', 'halden.example', headline, lead).about).toBe(true)
  expect(judge('Halden Bancorp', 'haldenbank.example', headline, lead).about).toBe(false)
})

test('recognizes a name with an apostrophe', () => {
  expect(judge("Quill's Larder", 'larder.example', "Quill's Larder opens third bakery").about).toBe(true)
})
