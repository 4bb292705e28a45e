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

/** Sentences about people that state no title. */
const SENTENCES = [
  'Jane Doe is a keen cyclist and swimmer.',
  'Jane Doe is based in Boston.',
  'Jane Doe is 45 years old.',
  'Jane Doe is married with three children.',
  'Jane Doe grew up on a farm near Leeds.',
  'Erika Mustermann ist Mutter von zwei Kindern.',
  'Erika Mustermann wohnt seit 1998 in Kassel.',
  'Erika Mustermann spielt gern Tennis.',
  'Pierre Dupont est né à Lyon en 1971.',
  'Pierre Dupont aime la montagne et le vélo.',
  'Lucía Romero nació en Sevilla y vive en Cádiz.',
  'Paolo Bianchi ama il mare e la vela.',
  'Joost van Dijk woont met zijn gezin in Utrecht.',
  'Anna Nowak mieszka w Krakowie z rodziną.',
  'The Blue Team is our Support Team.',
]

test('reads almost nobody from sentences that state no title', () => {
  expect(SENTENCES.flatMap(read).length).toBeLessThanOrEqual(SENTENCES.length * 0.15)
})

test.each([
  ['Head of Research</span> <span>MSc Economics, Prague</span>', 'Head of Research'],
  ['Head <i>of Research</i></span>', 'Head of Research'],
])('ends the title in "<span>%s" at the next element that does not continue it', (rest, title) => {
  expect(read(`<b>Marek Holub</b>, <span>${rest}`)).toEqual([`Marek Holub | ${title}`])
})
