import { expect, test } from 'vitest'
import { parsePage } from '../../../../../src/enrichment/extract/page.ts'
import { readPagePeople } from '../../../../../src/enrichment/people/page/page-people.ts'

const read = (sentence: string): string[] =>
  readPagePeople(parsePage(`<h1>Our team</h1><p>${sentence}</p>`, 'https://acme.example/team')).map(
    ({ name, title }) => `${name} | ${title}`,
  )

test.each([
  ['Jane Doe is our Technical Director and looks after the rest.', 'Jane Doe | Technical Director'],
  ['Pierre Dupont est notre directeur technique.', 'Pierre Dupont | directeur technique'],
  ['Erika Mustermann ist unsere Geschäftsführerin.', 'Erika Mustermann | Geschäftsführerin'],
  ['<b>Marek Holub, CFA®</b> is our Head of Research.', 'Marek Holub | Head of Research'],
])('reads a person from the sentence "%s"', (sentence, person) => {
  expect(read(sentence)).toEqual([person])
})

test.each([
  'Jane Doe is a keen cyclist and swimmer.',
  'Jane Doe is based in Boston.',
  'Jane Doe is 45 years old.',
  'Erika Mustermann ist Mutter von zwei Kindern.',
  'The Blue Team is our Support Team.',
])('reads no person from "%s"', (sentence) => {
  expect(read(sentence)).toEqual([])
})

test.each([
  ['Head of Research</span> <span>MSc Economics, Prague</span>', 'Head of Research'],
  ['Head <i>of Research</i></span>', 'Head of Research'],
])('ends the title in "<span>%s" at the next element that does not continue it', (rest, title) => {
  expect(read(`<b>Marek Holub</b>, <span>${rest}`)).toEqual([`Marek Holub | ${title}`])
})
