import { expect, test } from 'vitest'
import { parsePage } from '../../../../../src/enrichment/extract/page.ts'
import { linesOf } from '../../../../../src/enrichment/people/page/page-lines.ts'
import { readProsePeople } from '../../../../../src/enrichment/people/page/prose-people.ts'

const read = (sentence: string): string[] =>
  readProsePeople(linesOf(parsePage(`<p>${sentence}</p>`, 'https://acme.example/'))).map(
    ({ name, title }) => `${name} | ${title}`,
  )

test.each([
  ['Jane Doe is our Technical Director and looks after the rest.', 'Jane Doe | Technical Director'],
  [
    'Jane Doe is Founder and Chief Executive Officer and lives in Rome.',
    'Jane Doe | Founder and Chief Executive Officer',
  ],
  ['<b>Jane Doe</b> joined in 2014 and is a Senior Architect. She swims.', 'Jane Doe | Senior Architect'],
  ['Pierre Dupont est notre directeur commercial depuis 2010.', 'Pierre Dupont | directeur commercial'],
  ['Erika Mustermann ist unsere Geschäftsführerin.', 'Erika Mustermann | Geschäftsführerin'],
])('reads "%s"', (sentence, person) => {
  expect(read(sentence)).toEqual([person])
})

test.each([
  'Jane Doe is a keen cyclist and cook.',
  'Jane Doe is based in Boston.',
  'Jane Doe is 45 years old.',
  'Erika Mustermann ist Mutter von zwei Kindern.',
  'The Blue Team is our Support Team.',
])('reads no person from "%s"', (sentence) => {
  expect(read(sentence)).toEqual([])
})
