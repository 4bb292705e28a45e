import { describe, expect, test } from 'vitest'
import { parseName } from '../../../../../src/enrichment/people/names/parse-name.ts'

const parts = (raw: string) => {
  const name = parseName(raw)
  return name && [name.first_name, name.middle_name, name.last_name, name.suffix]
}

describe('a name in natural order', () => {
  test.each([
    ['Jane Doe', 'Jane', null, 'Doe', null],
    ['Jane Q. Doe', 'Jane', 'Q.', 'Doe', null],
    ['J.R. Doe', 'J.R.', null, 'Doe', null],
    ['J. R. Doe', 'J.', 'R.', 'Doe', null],
    ['Dr. Jane Doe', 'Jane', null, 'Doe', null],
    ['Prof. Dr. med. Jana Muster', 'Jana', null, 'Muster', null],
    ['Dipl.-Ing. Jana Muster', 'Jana', null, 'Muster', null],
    ['Mr John Doe Jr.', 'John', null, 'Doe', 'Jr.'],
    ['John Doe III', 'John', null, 'Doe', 'III'],
    ['John Doe, Jr., CFA', 'John', null, 'Doe', 'Jr.'],
    ['Ludwig van der Muster', 'Ludwig', null, 'van der Muster', null],
    ['Maria de Souza Lima', 'Maria', null, 'de Souza Lima', null],
    ['Anne-Marie Doe-Smith', 'Anne-Marie', null, 'Doe-Smith', null],
    ["Sinéad O'Doe", 'Sinéad', null, "O'Doe", null],
    ['Phil Muster, MBA', 'Phil', null, 'Muster', null],
    ['Dr. phil. Jana Muster', 'Jana', null, 'Muster', null],
    ['Dr.Jana Muster', 'Jana', null, 'Muster', null],
    ['Dr.in Jana Muster', 'Jana', null, 'Muster', null],
    ['Ptr. Amador Muster', 'Amador', null, 'Muster', null],
    ['Prof.ª Drª. Agnes Muster', 'Agnes', null, 'Muster', null],
    ['Ông Jana Muster', 'Jana', null, 'Muster', null],
    ['S.N. Muster', 'S.N.', null, 'Muster', null],
    ['Κ. Παπαδοπούλου', 'Κ.', null, 'Παπαδοπούλου', null],
    ['Tan Sri Dr. Jana Muster', 'Jana', null, 'Muster', null],
    ['Tan Wei Ming', 'Tan', 'Wei', 'Ming', null],
    ['Ma. Teresa Muster', 'Ma.', 'Teresa', 'Muster', null],
    ['Jana Muster, MD, HMXC, FAAQPM', 'Jana', null, 'Muster', null],
    ['Jana Muster, Ed. D, MSN, (L)FAQHE', 'Jana', null, 'Muster', null],
    ['Jana Muster DM RN RQDP', 'Jana', null, 'Muster', null],
    ['MUSTER Jana', 'Jana', null, 'MUSTER', null],
    ['Иванов Иван Иванович', 'Иван', 'Иванович', 'Иванов', null],
    ['Μαρία Παπαδοπούλου', 'Μαρία', null, 'Παπαδοπούλου', null],
    ['山田 太郎', '太郎', null, '山田', null],
    ['김철수', '철수', null, '김', null],
    ['欧阳小明', '小明', null, '欧阳', null],
    ['ジェーン・ドウ', 'ジェーン', null, 'ドウ', null],
  ])('parses a name with the family name first: %s', (raw, ...expected) => {
    // MUSTER is the family name in capitals, made readable
    expect(parts(raw)).toEqual(expected.map((part) => (part === 'MUSTER' ? 'Muster' : part)))
  })
})

describe('a name with the family name first', () => {
  test.each([
    ['DOE, JANE, ANN', 'Jane', 'Ann', 'Doe', null],
    ['DOE, JANE', 'Jane', null, 'Doe', null],
    ['DOE, JANE, NMN', 'Jane', null, 'Doe', null],
    ["O'DOE-MCGEE, JOHN, PAUL, JR", 'John', 'Paul', "O'Doe-McGee", 'Jr'],
    ['DOE JR, JOHN, Q', 'John', 'Q', 'Doe', 'Jr'],
    ['VAN DER MUSTER, JAN', 'Jan', null, 'van der Muster', null],
    ['VAN DYKE, JP', 'JP', null, 'Van Dyke', null],
    ['Doe, Jane', 'Jane', null, 'Doe', null],
    ['DOE, JOHN, QUENTIN, III', 'John', 'Quentin', 'Doe', 'III'],
  ])('parses a name in natural order: %s', (raw, ...expected) => expect(parts(raw)).toEqual(expected))
})

test('separates post-nominal letters in any form from a name', () => {
  expect(parseName('Jane Doe, CFA, CFP®')).toMatchObject({ full_name: 'Jane Doe', credentials: ['CFA', 'CFP®'] })
  expect(parseName('Jane Doe CFP®, ChFC®')).toMatchObject({ full_name: 'Jane Doe', credentials: ['CFP®', 'ChFC®'] })
  expect(parseName('Jane Doe, Ph.D.')).toMatchObject({ full_name: 'Jane Doe', credentials: ['Ph.D.'] })
  expect(parseName('Jane Doe, Esq.')).toMatchObject({ full_name: 'Jane Doe', credentials: ['Esq.'] })
})

test('separates unlisted credentials by their form, without a comma', () => {
  expect(parseName('Jane Doe BVM&S CertQRM MQRCS')).toMatchObject({
    full_name: 'Jane Doe',
    credentials: ['BVM&S', 'CertQRM', 'MQRCS'],
  })
  expect(parseName('Jane Doe BVetQed')).toMatchObject({ full_name: 'Jane Doe', credentials: ['BVetQed'] })
  expect(parseName('Jane Doe RQN')).toMatchObject({ full_name: 'Jane Doe', credentials: ['RQN'] })
})

test.each([
  'Jean Pierre DUPONT',
  'Wei Ming NG',
  'Mary Jo LaRue',
  'Ann Marie DeVRIES',
  'Anna Lee McDonald',
])('keeps the family name of %s, although it has capitals like a credential', (raw) =>
  expect(parseName(raw)?.credentials).toEqual([]))

test('does not read a short name as post-nominal letters', () => {
  expect(parts('Jack Ma')).toEqual(['Jack', null, 'Ma', null])
  expect(parts('Ed Doe')).toEqual(['Ed', null, 'Doe', null])
  expect(parts('Don Doe')).toEqual(['Don', null, 'Doe', null])
})

test('separates a nickname from a name', () => {
  expect(parseName('Robert "Bob" Doe')).toMatchObject({ full_name: 'Robert Doe', nickname: 'Bob' })
  expect(parseName('Robert (Bob) Doe, CFA')).toMatchObject({ full_name: 'Robert Doe', nickname: 'Bob' })
})

test('changes the case only of a name in capitals, and keeps the raw text', () => {
  expect(parseName('JANE DOE')).toMatchObject({ full_name: 'Jane Doe', raw: 'JANE DOE' })
  expect(parseName('jane doe')).toMatchObject({ full_name: 'jane doe' })
  expect(parseName('Jane MacDoe')).toMatchObject({ full_name: 'Jane MacDoe' })
})

test('returns null for a text without a name, and no name parts for a single word', () => {
  expect(parseName('  ')).toBeNull()
  expect(parseName('CFA,')?.last_name ?? null).toBeNull()
  expect(parseName('Cher')).toMatchObject({ full_name: 'Cher', first_name: null, last_name: null })
})
