import type { GoldPerson } from './invented-people.ts'
import { bioOf, emailOf } from './invented-people.ts'
import type { Layout } from './layouts-dev.ts'

const each = (people: GoldPerson[], draw: (person: GoldPerson, index: number) => string): string =>
  people.map(draw).join('\n')

/** The same families as in development with different markup, not used during development. */
export const HELD_OUT_LAYOUTS: Record<string, Layout> = {
  'card-grid': (people) =>
    `<div class="elementor-section"><h2 class="elementor-heading">The people behind the numbers</h2><div class="elementor-row">${each(people, ({ name, title }) => `<div class="elementor-column"><div class="wrap"><div class="image"><img src="q.webp" alt=""></div><div class="info"><div class="t1"><span>${name}</span></div><div class="t2"><span>${title}</span></div><a href="#" class="more">Read More</a></div></div></div>`)}</div></div>`,
  'definition-list': (people) =>
    `<h2>Board and Management</h2><dl>${each(people, ({ name, title }) => `<div><dt>${title}</dt><dd>${name}</dd></div>`)}</dl>`,
  table: (people) =>
    `<h1>Staff Directory</h1><table border="0" cellpadding="4">${each(people, ({ name, title }, i) => `<tr><td width="120"><img src="s${i}.gif"></td><td valign="top"><font size="2"><b>${name}</b><br><i>${title}</i></font></td></tr>`)}</table>`,
  figure: (people) =>
    `<h2>Management Team</h2><div class="gallery">${each(people, ({ name, title }) => `<figure><picture><img src="f.jpg" alt="Photo of ${name}"></picture><figcaption><p>${name}</p><p><small>${title}</small></p></figcaption></figure>`)}</div>`,
  'heading-runs': (people, _, random) =>
    `<article><h1>About the Principals</h1><p>We are a small group that has worked together for many years.</p>${each(people, (person) => `<h4>${person.name}</h4>\n<h5>${person.title}</h5>\n<p>${bioOf(person, random)}</p>\n<hr>`)}</article>`,
  'comma-lines': (people) =>
    `<h3>Officers</h3><p>${people.map(({ name, title }) => `<b>${name}</b>, ${title}`).join('<br>\n')}</p>`,
  'dash-list': (people) =>
    `<h3>The team</h3><ol>${each(people, ({ name, title }) => `<li><strong>${name}</strong> – ${title}</li>`)}</ol>`,
  accordion: (people, _, random) =>
    `<h1>Leadership</h1>${each(people, (person) => `<details><summary>${person.name} | ${person.title}</summary><div><p>${bioOf(person, random)}</p></div></details>`)}`,
  modals: (people, _, random) =>
    `<section><h2>Meet our experts</h2>${each(people, (person, i) => `<div class="tile"><div class="front"><p class="n">${person.name}</p><p class="p">${person.title}</p><button data-target="#b${i}">View Bio</button></div><div class="popup" id="b${i}" aria-hidden="true"><button>Close</button><div><h3>${person.name}</h3><p>${person.title}</p><p>${bioOf(person, random)}</p></div></div></div>`)}</section>`,
  'image-alt': (people) =>
    `<h2>Our team</h2><ul class="faces">${each(people, ({ name, title }) => `<li><img src="z.png" alt="${name}, ${title}"></li>`)}</ul>`,
  'linked-name': (people) =>
    `<h1>Lawyers & Staff</h1>${each(people, ({ name, title }) => `<div class="views-row"><div class="views-field"><span class="field-content"><a href="/bio">${name}</a></span></div><div class="views-field"><div class="field-content">${title}</div></div></div>`)}`,
  'two-columns': (people, _, random) =>
    `<h2>Executive Officers</h2><table>${each(people, (person) => `<tr><td><p>${person.name}</p><p>${person.title}</p></td><td><p>${bioOf(person, random)}</p></td></tr>`)}</table>`,
  'department-sections': (people) => {
    const third = Math.ceil(people.length / 3)
    const block = (label: string, some: GoldPerson[]) =>
      `<section><header><h3>${label}</h3></header><ul>${each(some, ({ name, title }) => `<li><p><a href="#"><b>${name}</b></a></p><p>${title}</p></li>`)}</ul></section>`
    return `<h1>Faculty and Staff</h1>${block('Executive Team', people.slice(0, third))}${block('Operations', people.slice(third, 2 * third))}${block('Sales & Marketing', people.slice(2 * third))}`
  },
  'div-soup': (people) =>
    `<div><div><div><span>Leadership</span></div></div>${each(people, ({ name, title }) => `<div><span>${name}</span></div><div><span>${title}</span></div><div><span>Springfield</span></div>`)}</div>`,
  'title-first': (people) =>
    `<h1>Our Officers</h1><ul>${each(people, ({ name, title }) => `<li>${title}: ${name}</li>`)}</ul>`,
  'non-english': (people) => {
    const titles = [
      'Directrice générale',
      'Directeur financier',
      'Responsable marketing',
      'Chef de projet',
      'Assistante de direction',
      'Associé',
      'Avocate',
      'Conseiller en gestion de patrimoine',
      'Comptable',
      'Président',
    ]
    people.forEach((person, i) => {
      person.title = titles[i % titles.length] as string
    })
    return `<h1>Notre équipe</h1><div>${each(people, ({ name, title }) => `<div><h3>${name}</h3><h4>${title}</h4><a href="#">En savoir plus</a></div>`)}</div>`
  },
  'with-email': (people, firm) => {
    for (const person of people) person.email = emailOf(person, firm.domain)
    return `<h2>Our Advisors</h2>${each(people, ({ name, title, email }) => `<p><strong>${name}</strong><br />${title}<br />Phone: (555) 010-0123<br />${email?.replace('@', ' [at] ')}</p>`)}`
  },
  decorated: (people) => {
    const decorations = [
      (n: string) => `${n}, CPA, CFP®`,
      (n: string) => `${n}, Ph.D.`,
      (n: string) => `${n}, JD, LL.M.`,
      (n: string) => `${n} Jr.`,
      (n: string) => `Prof. ${n}`,
    ]
    people.forEach((person, i) => {
      person.name = (decorations[i % decorations.length] as (name: string) => string)(person.name)
    })
    return `<h2>Meet Our Professionals</h2><div>${each(people, ({ name, title }) => `<div><div><h3><a href="/b">${name}</a></h3><div><p>${title}</p></div></div><div><a href="tel:+15550100100">555-010-0100</a></div></div>`)}</div>`
  },
}
