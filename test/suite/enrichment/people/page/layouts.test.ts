import { expect, test } from 'vitest'
import { parsePage } from '../../../../../src/enrichment/extract/page.ts'
import { pairsOf, readPagePeople } from '../../../../../src/enrichment/people/page/page-people.ts'
import { publishedTitles } from '../../../../../src/enrichment/people/page/published-titles.ts'

const read = (html: string, path = 'about'): string[] =>
  readPagePeople(parsePage(`<html><body>${html}</body></html>`, `https://acme.example/${path}`)).map(
    ({ name, title }) => `${name} | ${title}`,
  )

test.each([
  [
    '<h1>会社概要</h1><table><tr><th>社名</th><td>株式会社つばめ製作所</td></tr><tr><th>所在地</th><td>静岡県磐田市中泉1-2</td></tr><tr><th>役員</th><td>代表取締役社長　大庭 和彦<br>専務取締役　鈴木 真由美<br>監査役　村松 茂</td></tr></table>',
    ['大庭 和彦 | 代表取締役社長', '鈴木 真由美 | 専務取締役', '村松 茂 | 監査役'],
  ],
  [
    '<h2>Impressum</h2><dl><dt>Firma</dt><dd>Kranbau Oberlechner GmbH</dd><dt>Geschäftsführerin</dt><dd>Heidrun Oberlechner</dd><dt>Betriebsleiter</dt><dd>Matthias Stangassinger</dd><dt>Wirtschaftsprüfer</dt><dd>Alpenrevision GmbH, Gernot Pichler</dd></dl>',
    ['Heidrun Oberlechner | Geschäftsführerin', 'Matthias Stangassinger | Betriebsleiter'],
  ],
  [
    '<h1>La société</h1><table><tr><td>Gérante</td><td>Solenn Kermarrec</td></tr><tr><td>Directeur de production</td><td>Yann Le Bihan</td></tr><tr><td>Commissaire aux comptes</td><td>Armor Audit, Hervé Jaouen</td></tr></table>',
    ['Solenn Kermarrec | Gérante', 'Yann Le Bihan | Directeur de production'],
  ],
])('reads the people of a company profile, but not its advisers: %#', (html, people) => {
  expect(read(html)).toEqual(people)
})

test.each([
  [
    '<h1>Our team</h1><div class="card"><h3>Philippa Stroud &amp; Desmond Achebe</h3><p>Joint Managing Directors</p></div><div class="card"><h3>Harriet Lisle</h3><p>Workshop Manager</p></div>',
    [
      'Philippa Stroud | Joint Managing Directors',
      'Desmond Achebe | Joint Managing Directors',
      'Harriet Lisle | Workshop Manager',
    ],
  ],
  [
    '<h1>Unser Team</h1><ul><li><strong>Anke Brandstetter und Jörg Vollmer</strong><br>Geschäftsführung</li><li><strong>Svenja Reimers</strong><br>Buchhaltung</li></ul>',
    ['Anke Brandstetter | Geschäftsführung', 'Jörg Vollmer | Geschäftsführung', 'Svenja Reimers | Buchhaltung'],
  ],
  [
    '<h1>Nuestro equipo</h1><article><h4>Marta Quiroga y Andrés Belmonte</h4><div>Socios directores</div></article><article><h4>Pilar Echeverría</h4><div>Jefa de taller</div></article>',
    ['Marta Quiroga | Socios directores', 'Andrés Belmonte | Socios directores', 'Pilar Echeverría | Jefa de taller'],
  ],
])('reads two people who share a card: %#', (html, people) => {
  expect(read(html, 'team')).toEqual(people)
})

test.each([
  [
    '<h2>Η ομάδα μας</h2><p>Ο <b>Νίκος Παπαδάκης</b> είναι ο διευθυντής παραγωγής.</p><p>Η <b>Μαρία Στεφάνου</b>, υπεύθυνη πωλήσεων, ήρθε το 2015 από τον Βόλο.</p>',
    ['Νίκος Παπαδάκης | διευθυντής παραγωγής', 'Μαρία Στεφάνου | υπεύθυνη πωλήσεων'],
  ],
  [
    '<h2>A nossa equipa</h2><p>O <strong>Rui Tavares</strong> é o nosso diretor de produção.</p><p>A <strong>Inês Carvalhal</strong>, responsável de qualidade, chegou em 2015.</p>',
    ['Rui Tavares | diretor de produção', 'Inês Carvalhal | responsável de qualidade'],
  ],
])('reads names after an article: %#', (html, people) => {
  expect(read(html, 'team')).toEqual(people)
})

test.each([
  [
    '<h1>Nosotros</h1><section><h2>El equipo</h2><article><h3>Regina Olvera</h3><p>Directora general</p></article><article><h3>Darío Montaño</h3><p>Director de operaciones</p></article></section><section><h2>Nuestros inversionistas</h2><article><h3>Octavio Larrea</h3><p>Socio, Capital Mezquite</p></article><article><h3>Inés Bracamontes</h3><p>Inversionista ángel</p></article></section>',
    ['Regina Olvera | Directora general', 'Darío Montaño | Director de operaciones'],
  ],
  [
    '<h1>People</h1><h2>Management</h2><ul><li>Imogen Tarrant, Senior Partner</li><li>Kwame Asante, Finance Director</li></ul><h2>Former partners</h2><ul><li>Alec Dunmore, Senior Partner</li><li>Rosalind Pike, Partner</li></ul>',
    ['Imogen Tarrant | Senior Partner', 'Kwame Asante | Finance Director'],
  ],
  [
    '<h1>Über uns</h1><h2>Geschäftsleitung</h2><div><b>Corinna Wehrli</b><br>Geschäftsführerin</div><div><b>Beat Ammann</b><br>Leiter Technik</div><h2>Unsere Investoren</h2><div><b>Lorenz Vögtli</b><br>Partner, Säntis Ventures AG</div>',
    ['Corinna Wehrli | Geschäftsführerin', 'Beat Ammann | Leiter Technik'],
  ],
])('does not read investors and former partners in the layout of the team: %#', (html, people) => {
  expect(read(html)).toEqual(people)
})

test('reads almost no things named after people', () => {
  const pages = [
    '<h1>Rooms</h1><div><h3>Villa Eleonora</h3><p>Twelve guests, garden view</p></div><div><h3>Casa Vincenzo</h3><p>Eight guests, sea view</p></div>',
    '<h1>Dove siamo</h1><div><h3>Santa Caterina</h3><p>Magazzino e spedizioni</p></div><div><h3>Via Garibaldi</h3><p>Ufficio vendite</p></div>',
    '<h1>Nos ateliers</h1><div><h3>Atelier Suzanne</h3><p>Chef-lieu de la menuiserie, deux ouvriers</p></div><div><h3>Atelier Marcel</h3><p>Ferronnerie</p></div>',
    '<h1>Prodotti</h1><ul><li><b>Sedia Beatrice</b> – direttore d’orchestra, in faggio</li><li><b>Tavolo Leonardo</b> – da riunione</li></ul>',
  ]
  expect(pages.flatMap((html) => read(html)).length).toBeLessThanOrEqual(1)
})

test.each([
  [
    'CA Rohini Deshpande</b>, Finance Controller</li><li><b>CS Vikram Sathe</b>, Company Secretary</li><li><b>Anita Rao</b>, Plant Head',
    ['CA Rohini Deshpande', 'CS Vikram Sathe', 'Anita Rao'],
  ],
])('reads qualifications before a name', (items, names) => {
  const people = readPagePeople(
    parsePage(`<h3>Senior Management</h3><ul><li><b>${items}</li></ul>`, 'https://acme.example/management'),
  )
  expect(people.map(({ name }) => name)).toEqual(names)
})

test('reads names with a suffix and credentials as whole lines of a table', () => {
  const row = (name: string, title: string): string => `<tr><td>${name}</td><td>${title}</td><td>Troy '95</td></tr>`
  expect(
    read(
      `<h3>Our staff</h3><table><tr><td><b>Name</b></td><td><b>Position</b></td><td><b>School</b></td></tr>${row('Calvin R. Hubbard, Jr., CPA', 'President')}${row('Dorothea Finch, CPA, PFS', 'Shareholder - Tax')}${row('Lamar Whitcomb', 'Office Manager')}</table>`,
      'staff',
    ),
  ).toEqual([
    'Calvin R. Hubbard, Jr. | President',
    'Dorothea Finch | Shareholder - Tax',
    'Lamar Whitcomb | Office Manager',
  ])
})

test('does not read the link to the home page as a person', () => {
  const menu = '<div><a href="/">RIMBA KENARI</a> <a href="/struktur">Struktur Organisasi</a></div>'
  expect(read(`${menu}<h1>Cerita Kami</h1><p>Kami membuat mebel jati.</p>`, 'cerita-kami')).toEqual([])
})

test('reads names that are links to a place on the home page', () => {
  const card = (name: string, title: string): string => `<div><h3><a href="#x">${name}</a></h3><p>${title}</p></div>`
  const cards = card('Anna Brandt', 'Chief Executive Officer') + card('Ben Adler', 'Finance Director')
  expect(read(`<h1>Our team</h1>${cards}`, '')).toHaveLength(2)
})

test('reads cards that are inline elements', () => {
  const card = (name: string, title: string): string =>
    `<a class="member" href="#"><span>${name}</span> <span>${title}</span></a>`
  const cards = [
    card('Răzvan Moldovanu', 'Fondator și CEO'),
    card('Ilinca Țurcaș', 'Director tehnic'),
    card('Zsófia Bálint', 'Manager de produs'),
  ]
  expect(read(`<h1>Echipa</h1><div>${cards.join('')}</div>`, 'echipa')).toEqual([
    'Răzvan Moldovanu | Fondator și CEO',
    'Ilinca Țurcaș | Director tehnic',
    'Zsófia Bálint | Manager de produs',
  ])
})

test('reads people from the tooltips of their portraits', () => {
  const face = (text: string): string => `<a class="face" title="${text}" href="#"><img src="a.jpg" alt=""></a>`
  const faces = [
    face('Reto Ammann, Geschäftsführer'),
    face('Nadja Bissegger, Leiterin Steuern'),
    face('Monika Etter, Sekretariat'),
  ]
  expect(read(`<h1>Unser Team</h1><div>${faces.join('')}</div>`, 'team')).toEqual([
    'Reto Ammann | Geschäftsführer',
    'Nadja Bissegger | Leiterin Steuern',
    'Monika Etter | Sekretariat',
  ])
})

test('keeps the space before a name that starts with an apostrophe', () => {
  const card = (name: string, title: string): string => `<div><h3>${name}</h3><p>${title}</p></div>`
  expect(
    read(`<h1>Ons team</h1>${card('Pieter-Jan ’t Hart', 'Directeur')}${card('Ilse Verhoeven', 'Planner')}`, 'team'),
  ).toEqual(['Pieter-Jan ’t Hart | Directeur', 'Ilse Verhoeven | Planner'])
})

test('reads the title on the profile of a known person', () => {
  const page = parsePage(
    '<div>Ірина Довгополюк</div><div>голова польової групи</div><div>Уманський національний університет, 2006.</div>',
    'https://acme.example/lab/iryna',
  )
  expect(readPagePeople(page, { profileOf: 'Ірина Довгополюк' })).toMatchObject([
    { name: 'Ірина Довгополюк', title: 'голова польової групи' },
  ])
})

test('reads an unknown title in the column of the other titles', () => {
  const row = (name: string, title: string): string => `<tr><td>${name}</td><td>${title}</td></tr>`
  expect(
    read(
      `<h2>Who to call</h2><table>${row('Orla Brennan', 'Managing Director')}${row('Piotr Zieliński', 'Fleet Engineer')}${row('Gráinne Foley', 'Accounts Payable')}${row('Dermot Quill', 'Transport Manager')}${row('Saoirse Tuohy', 'Claims')}</table>`,
      'contacts',
    ),
  ).toContain('Gráinne Foley | Accounts Payable')
})

test('reads people under a heading that names their occupation', () => {
  const card = (name: string, title: string, more: string): string =>
    `<div class="image-box"><h3>${name}</h3><p><strong>${title}</strong><br>${more}</p></div>`
  expect(
    read(
      `<h1>Who’s who</h1><h2>Vets</h2>${card('Morag Sillars BVMS MRCVS', 'Clinical Director', 'Glasgow graduate, here since 2009.')}${card('Idris Bevan BVSc MRCVS', 'Veterinary Surgeon', 'Orthopaedics.')}<h2>Nurses</h2>${card('Keeley Marsh RVN', 'Head Nurse', 'Looks after the theatre.')}`,
      'whos-who',
    ),
  ).toHaveLength(3)
})

test.each([
  [
    '<h1>Zespół</h1><div class="os"><h3>Grażyna Wrońska</h3><p>Stanowisko: kierownik produkcji</p></div><div class="os"><h3>Tomasz Bielak</h3><p>Stanowisko: księgowy</p></div>',
    ['Grażyna Wrońska | kierownik produkcji', 'Tomasz Bielak | księgowy'],
  ],
  [
    '<h1>Our team</h1><div class="p"><h3>Ada Quill</h3><p>Partner: Tax</p></div><div class="p"><h3>Miles Brand</h3><p>Partner: Litigation</p></div>',
    ['Ada Quill | Partner: Tax', 'Miles Brand | Partner: Litigation'],
  ],
])('reads titles without the label that precedes most of them: %#', (html, people) => {
  expect(read(html, 'team')).toEqual(people)
})

test.each([
  ['MA (Oxon), PGCE – Head', 'Head'],
  ['FCCA – Bursar and Clerk to the Governors', 'Bursar and Clerk to the Governors'],
  ['VP – Sales', 'VP – Sales'],
  ['Ops – Northern Region', 'Ops – Northern Region'],
])('removes the credentials before a title: %s', (text, title) => {
  expect(publishedTitles([text])).toEqual([title])
})

test('considers no email address as a title', () => {
  const row = '<tr><td>Mara Ellison</td><td>617-555-0101</td><td>Mara.Ellison@acme.example</td></tr>'
  const page = parsePage(`<html><body><h1>Staff</h1><table>${row}</table></body></html>`, 'https://acme.example/staff')
  const titles = pairsOf(page, true).map(({ title }) => title.text)
  expect(titles).toContain('')
  expect(titles.filter((title) => title.includes('@'))).toEqual([])
})

test('reads names before telephones as names without titles', () => {
  const row = (name: string, phone: string): string =>
    `<tr><td>${name}</td><td>${phone}</td><td>${name.toLowerCase().replace(' ', '.')}@acme.example</td></tr>`
  const table =
    row('Mara Ellison', '617-555-0101') + row('Tobias Krantz', '617-555-0102') + row('Inez Vidal', '617-555-0103')
  expect(read(`<h1>Our staff</h1><table>${table}</table>`, 'staff')).toEqual([
    'Mara Ellison | null',
    'Tobias Krantz | null',
    'Inez Vidal | null',
  ])
})
