import type { GoldPerson } from './invented-people.ts'
import { bioOf, pick } from './invented-people.ts'
import type { Layout } from './layouts-dev.ts'

const each = (people: GoldPerson[], draw: (person: GoldPerson, index: number) => string): string =>
  people.map(draw).join('\n')

const rename = (people: GoldPerson[], names: string[]): void => {
  people.splice(names.length)
  people.forEach((person, index) => {
    person.name = names[index] as string
  })
}

/**
 * Layouts with features of real pages that no other family has, reproduced with invented people. Both halves use these
 * layouts.
 */
export const LEARNED_LAYOUTS: Record<string, Layout> = {
  'bar after the name': (people, _, random) =>
    `<h1>Our Team</h1>${each(people, (person) => `<div class="card"><h4>${person.name} |</h4><p>${person.title}</p><p>${bioOf(person, random)}</p></div>`)}`,
  'letters that no list holds': (people, _, random) =>
    `<h1>Leadership</h1>${each(people, ({ name, title }) => `<div><h2>${name}, ${pick(random, ['MBA, QZHA', 'MD, HMXC, FAAQPM', 'Ed. D, MSN, (L)FAQHE', 'QXP-SCP'])}</h2><h3>${title}</h3><a href="/x">View Profile</a></div>`)}`,
  'short forms of address': (people, _, random) =>
    `<h3>Meet our leaders</h3>${each(people, ({ name, title }) => `<div><img alt="${name}"><h4>${pick(random, ['Ptr.', 'Engr.', 'Atty.', 'Licda.', 'Hon.'])} ${name}</h4><p>${title}</p></div>`)}`,
  'firms after titles': (people, _, random) => {
    for (const person of people)
      person.title = `${person.title}, ${pick(random, ['Edwin Mock', 'Fakely Todd', 'Sample Street Bank'])}`
    return `<h1>Board of Directors</h1>${each(people, ({ name, title }) => `<p><strong>${name}</strong><br>${title}</p>`)}`
  },
  'staff in testimonial blocks': (people, _, random) =>
    `<h1>Our Team</h1>${each(people, (person) => `<div class="widget widget-testimonial"><div class="testimonial-name">${person.name}</div><div class="testimonial-job">${person.title}</div><div class="testimonial-content">${bioOf(person, random)}</div></div>`)}`,
  'offices as headings': (people) =>
    `<h1>Board</h1>${each(people, ({ name, title }) => `<h3>${title}</h3><p>${name}</p>`)}<h3>Donate</h3><p>Every gift helps.</p>`,
  'brackets in one paragraph': (people) =>
    `<h2>Staff list</h2><p>${people.map(({ name, title }) => `${name} (${title})`).join('<br>')}</p>`,
  'names that are words': (people) => {
    rename(people, ['Rosalind Painter', 'Dr. Hector More', 'Octavia L. Go', 'Barnaby Rush'])
    const cards = each(people, ({ name, title }) => `<div><h2>${name}</h2><div>${title}</div></div>`)
    rename(people, ['Rosalind Painter', 'Hector More', 'Octavia L. Go', 'Barnaby Rush'])
    return `<h1>Attorneys</h1>${cards}`
  },
  'members without offices': (people, _, random) => {
    const cards = each(people, (person) => `<div><h3>${person.name}</h3><p>${bioOf(person, random)}</p></div>`)
    for (const person of people) person.title = null
    return `<h1>Board of Trustees</h1>${cards}`
  },
  'labelled titles': (people) =>
    `<h1>Our People</h1>${each(people, ({ name, title }, i) => `<div><strong>${name}</strong><br>Job Title: ${title}<br>Phone Number: (555) 010-01${i + 10}</div>`)}`,
}

/** Capitalized headings above lines that resemble job titles, on pages without people. */
export const LEARNED_NEGATIVES: Record<string, () => string> = {
  calculators: () =>
    `<h1>About our rates</h1>${['Novated Lease', 'Chattel Mortgage', 'Bridging Loan'].map((name) => `<div><h4>${name}</h4><p>Car Finance Calculator</p></div>`).join('')}`,
  'practice areas': () =>
    `<h2>How we help</h2>${['Romance Scam', 'Lighting Failures', 'Survey Affidavit'].map((name) => `<div><h3>${name}</h3><p>Asset recovery, negligence and loss</p></div>`).join('')}`,
  placeholders: () =>
    `<h1>Our Team</h1>${['[Treasurer’s Full Name]', 'Full Name', 'Your name here', 'Architect Name'].map((name) => `<div><h3>${name}</h3><p>Designation</p></div>`).join('')}`,
}
