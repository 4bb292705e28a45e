/**
 * Classes of pages, each written for the casts of all languages. A class passes with a share of its people, because the
 * models are trained and may misread single pages.
 */
import { expect, test } from 'vitest'
import { parsePage } from '../../../../../src/enrichment/extract/page.ts'
import { readPagePeople } from '../../../../../src/enrichment/people/page/page-people.ts'
import type { Cast, CastPerson } from '../../../../helpers/casts.ts'
import { CASTS, shareRight } from '../../../../helpers/casts.ts'

const read = (html: string, path: string): string[] =>
  readPagePeople(parsePage(`<html><body>${html}</body></html>`, `https://acme.example/${path}`)).map(
    ({ name, title }) => `${name} | ${title}`,
  )

const titled = ({ name, title }: CastPerson): string => `${name} | ${title}`
const untitled = ({ name }: CastPerson): string => `${name} | null`
const card = ({ name, title }: CastPerson): string => `<div><h3>${name}</h3><p>${title}</p></div>`
const bareCard = ({ name }: CastPerson): string => `<div><h3>${name}</h3></div>`

/** Headings of the team, of investors and of testimonials. */
const HEADINGS: Record<string, [team: string, investors: string, customers: string]> = {
  en: ['Our team', 'Our investors', 'What our customers say'],
  de: ['Unser Team', 'Unsere Investoren', 'Das sagen unsere Kunden'],
  fr: ['Notre équipe', 'Nos investisseurs', 'Ils nous font confiance'],
  es: ['Nuestro equipo', 'Nuestros inversionistas', 'Lo que dicen nuestros clientes'],
  it: ['Il nostro team', 'I nostri investitori', 'Dicono di noi'],
  pt: ['A nossa equipa', 'Os nossos investidores', 'O que dizem os nossos clientes'],
  nl: ['Ons team', 'Onze investeerders', 'Wat onze klanten zeggen'],
  pl: ['Nasz zespół', 'Nasi inwestorzy', 'Opinie klientów'],
  cs: ['Náš tým', 'Naši investoři', 'Co o nás říkají zákazníci'],
  sv: ['Vårt team', 'Våra investerare', 'Vad våra kunder säger'],
  da: ['Vores team', 'Vores investorer', 'Det siger vores kunder'],
  fi: ['Tiimimme', 'Sijoittajamme', 'Asiakkaamme kertovat'],
  ro: ['Echipa noastră', 'Investitorii noștri', 'Ce spun clienții noștri'],
  tr: ['Ekibimiz', 'Yatırımcılarımız', 'Müşterilerimiz ne diyor'],
}

const headingsOf = ({ language }: Cast): [team: string, investors: string, customers: string] =>
  HEADINGS[language] as [string, string, string]

/** Returns a cast of other people, in the same language if there are two. */
function othersThan(cast: Cast): Cast {
  const next = CASTS[(CASTS.indexOf(cast) + 1) % CASTS.length] as Cast
  return CASTS.find((other) => other !== cast && other.language === cast.language) ?? next
}

interface PageClass {
  what: string
  /** Minimum share of the people that are read correctly. */
  minimum: number
  write: (cast: Cast) => { html: string; path: string; people: string[] }
}

const CLASSES: PageClass[] = [
  {
    what: 'cards on a team page',
    minimum: 0.97,
    write: (cast) => ({
      html: `<h1>${headingsOf(cast)[0]}</h1>${cast.people.map(card).join('')}`,
      path: 'team',
      people: cast.people.map(titled),
    }),
  },
  {
    what: 'cards without a heading on a page with an unknown path',
    minimum: 0.9,
    write: ({ people }) => ({ html: people.map(card).join(''), path: 'x', people: people.map(titled) }),
  },
  {
    what: 'lines of contact data',
    minimum: 0.95,
    write: (cast) => ({
      html: `<h1>${headingsOf(cast)[0]}</h1>${cast.people.map(({ name, title }, at) => `<p>${name}, ${title}, +1 617 555 010${at}</p>`).join('')}`,
      path: 'contact',
      people: cast.people.map(titled),
    }),
  },
  {
    what: 'a table of names, telephones and addresses without titles',
    minimum: 0.85,
    write: (cast) => ({
      html: `<h1>${headingsOf(cast)[0]}</h1><table>${cast.people.map(({ name }, at) => `<tr><td>${name}</td><td>617-555-010${at}</td><td>n${at}@acme.example</td></tr>`).join('')}</table>`,
      path: 'staff',
      people: cast.people.map(untitled),
    }),
  },
  {
    what: 'two people on one card',
    minimum: 0.9,
    write: (cast) => {
      const [one, other, third] = cast.people
      return {
        html: `<h1>${headingsOf(cast)[0]}</h1><div><h3>${one.name} &amp; ${other.name}</h3><p>${one.title}</p></div>${card(third)}`,
        path: 'team',
        people: [titled(one), titled({ ...other, title: one.title }), titled(third)],
      }
    },
  },
  {
    what: 'a person without a title among people with titles',
    minimum: 0.85,
    write: (cast) => {
      const [one, other, third, last] = cast.people
      return {
        html: `<h1>${headingsOf(cast)[0]}</h1>${card(one)}${card(other)}${bareCard(third)}${card(last)}`,
        path: 'team',
        people: [titled(one), titled(other), untitled(third), titled(last)],
      }
    },
  },
  {
    what: 'investors in the layout of the team',
    minimum: 0.85,
    write: (cast) => {
      const [team, investors] = headingsOf(cast)
      return {
        html: `<h1>${team}</h1>${cast.people.map(card).join('')}<h2>${investors}</h2>${othersThan(cast).people.slice(0, 2).map(card).join('')}`,
        path: 'about',
        people: cast.people.map(titled),
      }
    },
  },
  {
    what: 'customers in the layout of the team',
    minimum: 0.85,
    write: (cast) => {
      const [team, , customers] = headingsOf(cast)
      const quoted = (person: CastPerson): string => `<p>“Always on time, and the work has held.”</p>${card(person)}`
      return {
        html: `<h1>${team}</h1>${cast.people.map(card).join('')}<h2>${customers}</h2>${othersThan(cast).people.slice(0, 2).map(quoted).join('')}`,
        path: 'about',
        people: cast.people.map(titled),
      }
    },
  },
  {
    what: 'staff in blocks with the class of testimonials',
    minimum: 0.9,
    write: (cast) => ({
      html: `<h1>${headingsOf(cast)[0]}</h1>${cast.people.map(({ name, title }) => `<div class="testimonial"><div>${name}</div><div>${title}</div><p>${name.split(' ')[0]} has advised families in Springfield since 1999.</p></div>`).join('')}`,
      path: 'team',
      people: cast.people.map(titled),
    }),
  },
]

test.each(CLASSES)('reads $what correctly in share $minimum', ({ minimum, write }) => {
  const share = shareRight((cast) => {
    const { html, path, people } = write(cast)
    return { found: read(html, path), expected: people }
  })
  expect(share).toBeGreaterThanOrEqual(minimum)
})

/** Classes of pages without people, with the maximum number of invented people per page. */
const NOBODY: { what: string; maximum: number; write: (cast: Cast) => { html: string; path: string } }[] = [
  {
    what: 'customers who speak in the first person',
    maximum: 0.3,
    write: (cast) => ({
      html: `<h1>Acme</h1><h2>${headingsOf(cast)[2]}</h2>${cast.people.map(({ name, title }) => `<div class="testimonial"><p>“I would come back at any time.”</p><div>${name}</div><div>${title}</div></div>`).join('')}`,
      path: 'about',
    }),
  },
  {
    what: 'holiday houses named after people',
    maximum: 0.1,
    write: ({ people }) => ({
      html: `<h1>Rooms</h1>${people.map(({ name }, at) => `<div><h3>Villa ${name.split(' ')[0]}</h3><p>${at + 2} guests, sea view</p></div>`).join('')}`,
      path: 'rooms',
    }),
  },
  {
    what: 'prices of goods named after people',
    maximum: 0.3,
    write: ({ people }) => ({
      html: `<h1>Shop</h1><ul>${people.map(({ name }, at) => `<li><b>${name}</b> – ${at + 2}9,00 €</li>`).join('')}</ul>`,
      path: 'shop',
    }),
  },
]

test.each(NOBODY)('invents at most $maximum people per page among $what', ({ maximum, write }) => {
  const invented = CASTS.flatMap((cast) => {
    const { html, path } = write(cast)
    return read(html, path)
  })
  expect(invented.length / CASTS.length).toBeLessThanOrEqual(maximum)
})
