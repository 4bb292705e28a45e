import type { SamplePerson } from '../people.ts'
import type { Raw } from './html.ts'
import { html, raw } from './html.ts'

export interface TeamLayout {
  name: string
  /** Renders the people on a page. */
  show(people: SamplePerson[]): Raw
}

const mail = ({ email }: SamplePerson): Raw => (email ? html`<a href="mailto:${email}">${email}</a>` : raw(''))
const profile = ({ social_url }: SamplePerson): Raw =>
  social_url ? html`<a class="in" href="${social_url}" target="_blank" rel="noopener">LinkedIn</a>` : raw('')
const each = (people: SamplePerson[], one: (person: SamplePerson, place: number) => Raw): Raw =>
  raw(people.map((person, place) => one(person, place).html).join('\n'))
const bio = (place: number): string =>
  [
    'Joined us after many years by the sea.',
    'Keeps bees, and a calm head.',
    'Has seen four markets come and go.',
    'Speaks three languages, two of them well.',
  ][place % 4] as string
const halves = (people: SamplePerson[]): [SamplePerson[], SamplePerson[]] => [
  people.slice(0, Math.ceil(people.length / 2)),
  people.slice(Math.ceil(people.length / 2)),
]

/** Layouts of team pages, modeled on real sites and independent of the extractor. */
export const TEAM_LAYOUTS: readonly TeamLayout[] = [
  {
    name: 'card grid',
    show: (people) =>
      html`<div class="grid">${each(people, (person, place) => html`<div class="card"><img src="/img/${place}.jpg" alt=""><h3>${person.full_name}</h3><p class="role">${person.title}</p><p>${bio(place)}</p>${mail(person)} ${profile(person)}</div>`)}</div>`,
  },
  {
    name: 'table',
    show: (people) =>
      html`<table><thead><tr><th>Name</th><th>Position</th><th>E-mail</th></tr></thead><tbody>${each(people, (person) => html`<tr><td>${person.full_name}</td><td>${person.title}</td><td>${mail(person)} ${profile(person)}</td></tr>`)}</tbody></table>`,
  },
  {
    name: 'definition list',
    show: (people) =>
      html`<dl>${each(people, (person, place) => html`<dt>${person.full_name}</dt><dd>${person.title}</dd><dd>${bio(place)} ${mail(person)} ${profile(person)}</dd>`)}</dl>`,
  },
  {
    name: 'list with dashes',
    show: (people) =>
      html`<ul>${each(people, (person) => html`<li><strong>${person.full_name}</strong> – ${person.title} ${mail(person)} ${profile(person)}</li>`)}</ul>`,
  },
  {
    name: 'headings',
    show: (people) =>
      html`${each(people, (person, place) => html`<h2>${person.full_name}</h2><h4>${person.title}</h4><p>${bio(place)}</p><p>${mail(person)} ${profile(person)}</p>`)}`,
  },
  {
    name: 'bold and break',
    show: (people) =>
      html`${each(people, (person, place) => html`<p><b>${person.full_name}</b><br>${person.title}<br>${mail(person)} ${profile(person)}</p><p>${bio(place)}</p>`)}`,
  },
  {
    name: 'figures',
    show: (people) =>
      html`<section class="portraits">${each(people, (person, place) => html`<figure><img src="/img/${place}.jpg" alt="Portrait of ${person.full_name}"><figcaption><span>${person.full_name}</span><em>${person.title}</em>${profile(person)}${mail(person)}</figcaption></figure>`)}</section>`,
  },
  {
    name: 'comma in one line',
    show: (people) =>
      html`<div class="people">${each(people, (person) => html`<p class="person">${person.full_name}, ${person.title} ${mail(person)} ${profile(person)}</p>`)}</div>`,
  },
  {
    name: 'accordion',
    show: (people) =>
      html`<div class="accordion">${each(people, (person, place) => html`<div class="item"><button aria-expanded="false"><span class="n">${person.full_name}</span> <span class="p">${person.title}</span></button><div class="panel" hidden><p>${bio(place)}</p>${mail(person)} ${profile(person)}</div></div>`)}</div>`,
  },
  {
    name: 'title above name',
    show: (people) =>
      html`<div class="row">${each(people, (person, place) => html`<article><p class="eyebrow">${person.title}</p><h3>${person.full_name}</h3><p>${bio(place)}</p>${mail(person)} ${profile(person)}</article>`)}</div>`,
  },
  {
    name: 'linked cards',
    show: (people) =>
      html`<ul class="cards">${each(people, (person, place) => html`<li><a href="/people/${place + 1}"><img src="/img/${place}.jpg" alt="${person.full_name}"><div class="t1">${person.full_name}</div><div class="t2">${person.title}</div></a>${mail(person)} ${profile(person)}</li>`)}</ul>`,
  },
  {
    name: 'sections',
    show: (people) => {
      const [first, second] = halves(people)
      const group = (title: string, members: SamplePerson[]): Raw =>
        html`<section><h2>${title}</h2><div class="cols">${each(members, (person) => html`<div class="col"><h4>${person.full_name}</h4><span>${person.title}</span><div>${mail(person)} ${profile(person)}</div></div>`)}</div></section>`
      return html`${group('Senior Leadership', first)}${second.length > 0 ? group('Team', second) : raw('')}`
    },
  },
  {
    name: 'flip cards',
    show: (people) =>
      html`<div class="flips">${each(people, (person, place) => html`<div class="flip"><div class="front"><div class="photo" style="background-image:url(/img/${place}.jpg)"></div><h5 class="name">${person.full_name}</h5></div><div class="back"><h6>${person.title}</h6><p>${bio(place)}</p>${mail(person)}${profile(person)}</div></div>`)}</div>`,
  },
  {
    name: 'name and title in one heading',
    show: (people) =>
      html`${each(people, (person, place) => html`<div class="bio"><h3>${person.full_name} <small>${person.title}</small></h3><p>${bio(place)}</p>${mail(person)} ${profile(person)}</div>`)}`,
  },
  {
    name: 'microdata people',
    show: (people) =>
      html`<div class="staff">${each(people, (person) => html`<div itemscope itemtype="https://schema.org/Person"><span itemprop="name">${person.full_name}</span>, <span itemprop="jobTitle">${person.title}</span> ${person.email ? html`<a itemprop="email" href="mailto:${person.email}">write</a>` : raw('')}${person.social_url ? html`<a itemprop="sameAs" href="${person.social_url}">profile</a>` : raw('')}</div>`)}</div>`,
  },
  {
    name: 'h-card people',
    show: (people) =>
      html`<ul>${each(people, (person) => html`<li class="h-card"><span class="p-name">${person.full_name}</span> <span class="p-job-title">${person.title}</span>${person.email ? html` <a class="u-email" href="mailto:${person.email}">mail</a>` : raw('')}${person.social_url ? html` <a class="u-url" href="${person.social_url}">profile</a>` : raw('')}</li>`)}</ul>`,
  },
]
