import type { GoldPerson, Random } from './invented-people.ts'
import { bioOf, emailOf } from './invented-people.ts'
import type { Firm } from './page-frame.ts'

/**
 * Renders people as a page. A layout may change the people: a page without titles removes the titles from the expected
 * result.
 */
export type Layout = (people: GoldPerson[], firm: Firm, random: Random) => string

const each = (people: GoldPerson[], draw: (person: GoldPerson, index: number) => string): string =>
  people.map(draw).join('\n')

/** One layout of each family, for development. */
export const DEV_LAYOUTS: Record<string, Layout> = {
  'card-grid': (people) =>
    `<section class="team"><h1>Meet Our Team</h1><div class="grid">${each(people, ({ name, title }) => `<div class="card"><img src="x.jpg" alt="${name}"><div class="card-body"><h3>${name}</h3><p class="role">${title}</p></div></div>`)}</div></section>`,
  'definition-list': (people) =>
    `<h1>Management</h1><dl>${each(people, ({ name, title }) => `<dt>${name}</dt><dd>${title}</dd>`)}</dl>`,
  table: (people) =>
    `<h2>Our People</h2><table><thead><tr><th>Name</th><th>Position</th><th>Phone</th></tr></thead><tbody>${each(people, ({ name, title }, i) => `<tr><td>${name}</td><td>${title}</td><td>(555) 010-01${10 + i}</td></tr>`)}</tbody></table>`,
  figure: (people) =>
    `<h1>Leadership</h1>${each(people, ({ name, title }) => `<figure><img src="p.jpg" alt=""><figcaption><strong>${name}</strong><br>${title}</figcaption></figure>`)}`,
  'heading-runs': (people, _, random) =>
    `<h1>Who We Are</h1>${each(people, (person) => `<h3>${person.name}</h3><p>${person.title}</p><p>${bioOf(person, random)}</p>`)}`,
  'comma-lines': (people) => `<h2>Leadership Team</h2>${each(people, ({ name, title }) => `<p>${name}, ${title}</p>`)}`,
  'dash-list': (people) =>
    `<h2>Our Team</h2><ul>${each(people, ({ name, title }) => `<li>${name} — ${title}</li>`)}</ul>`,
  accordion: (people, _, random) =>
    `<h1>Our Professionals</h1>${each(people, (person, i) => `<div class="item"><button aria-controls="c${i}"><span>${person.name}</span><span>${person.title}</span></button><div id="c${i}" hidden><p>${bioOf(person, random)}</p></div></div>`)}`,
  modals: (people, _, random) =>
    `<h1>Team</h1><div>${each(people, ({ name, title }, i) => `<a href="#m${i}"><div><h4>${name}</h4><h5>${title}</h5></div></a>`)}</div>${each(people, (person, i) => `<div class="modal" id="m${i}"><h2>${person.name}</h2><h6>${person.title}</h6><p>${bioOf(person, random)}</p></div>`)}`,
  'image-alt': (people) =>
    `<h1>Meet the Team</h1><div>${each(people, ({ name, title }) => `<div><img src="a.jpg" alt="${name}"><p>${title}</p></div>`)}</div>`,
  'linked-name': (people) =>
    `<h1>People</h1><ul>${each(people, ({ name, title }) => `<li><a href="/people/x">${name}</a> <span>${title}</span></li>`)}</ul>`,
  'two-columns': (people, _, random) =>
    `<h1>Our Partners and Staff</h1>${each(people, (person) => `<div class="row"><div class="left"><img src="b.jpg"></div><div class="right"><h2>${person.name}</h2><div><em>${person.title}</em></div><p>${bioOf(person, random)}</p></div></div>`)}`,
  'department-sections': (people) => {
    const half = Math.ceil(people.length / 2)
    const block = (some: GoldPerson[]) =>
      each(some, ({ name, title }) => `<div><h4>${name}</h4><span>${title}</span></div>`)
    return `<h1>Our Team</h1><h2>Client Service</h2><div>${block(people.slice(0, half))}</div><h2>Investment Management</h2><div>${block(people.slice(half))}</div>`
  },
  'div-soup': (people) =>
    `<div><div>Our Team</div><div>${each(people, ({ name, title }) => `<div><div><div>${name}</div></div><div>${title}</div></div>`)}</div></div>`,
  'title-first': (people) =>
    `<h1>Executive Leadership</h1>${each(people, ({ name, title }) => `<div><p>${title}</p><h3>${name}</h3></div>`)}`,
  'non-english': (people) => {
    const titles = [
      'Geschäftsführer',
      'Prokuristin',
      'Leiterin Vertrieb',
      'Assistentin der Geschäftsführung',
      'Leiter Einkauf',
      'Buchhaltung',
      'Projektleiter',
      'Kundenberater',
      'Technischer Leiter',
      'Sachbearbeiterin',
    ]
    people.forEach((person, i) => {
      person.title = titles[i % titles.length] as string
    })
    return `<h1>Ihre Ansprechpartner</h1><div>${each(people, ({ name, title }) => `<div class="kontakt"><strong>${name}</strong><br>${title}<br>Telefon: 030 5550100</div>`)}</div>`
  },
  'with-email': (people, firm) => {
    for (const person of people) person.email = emailOf(person, firm.domain)
    return `<h1>Contact our team</h1>${each(people, ({ name, title, email }) => `<div><h3>${name}</h3><p>${title}</p><p><a href="mailto:${email}">Email</a> | <a href="https://www.linkedin.com/in/${email?.split('@')[0]}">LinkedIn</a></p></div>`)}`
  },
  decorated: (people) => {
    const decorations = [
      (n: string) => `${n}, CFA`,
      (n: string) => `${n}, CFP®, CPA`,
      (n: string) => `Dr. ${n}`,
      (n: string) => n.toUpperCase(),
      (n: string) => n,
    ]
    people.forEach((person, i) => {
      person.name = (decorations[i % decorations.length] as (name: string) => string)(person.name)
    })
    return `<h1>Our Advisors</h1>${each(people, ({ name, title }) => `<article><h3>${name}</h3><p><strong>${title}</strong></p><p>Springfield</p></article>`)}`
  },
}
