import { expect, test } from 'vitest'
import {
  dayInUrl,
  daysApart,
  isDateLine,
  notInFuture,
  readDay,
} from '../../../../../src/enrichment/signals/stories/story-date.ts'

test.each([
  ['2026-11-03T23:30:00-08:00', '2026-11-03'],
  ['20261103T101500Z', '2026-11-03'],
  ['Tue, 03 Nov 2026 00:30:00 +0200', '2026-11-03'],
  ['November 3rd, 2026', '2026-11-03'],
  ['Published Nov. 3, 2026 at noon', '2026-11-03'],
  ['3 November 2026', '2026-11-03'],
  ['3. März 2026', '2026-03-03'],
  ['3 août 2026', '2026-08-03'],
  ['3 de mayo de 2026', '2026-05-03'],
  ['3 dicembre 2026', '2026-12-03'],
  ['03.11.2026', '2026-11-03'],
  ['2026/11/03', '2026-11-03'],
  ['le 3 mars 2026', '2026-03-03'],
  ['1er juillet 2026', '2026-07-01'],
  ['Mrz. 3, 2026', '2026-03-03'],
  ['2026年3月4日', '2026-03-04'],
  ['２０２６年３月４日', '2026-03-04'],
  ['2026년 3월 4일', '2026-03-04'],
  ['3 марта 2026 г.', '2026-03-03'],
  ['3 marca 2026', '2026-03-03'],
  ['3. března 2026', '2026-03-03'],
  ['2026. március 3.', '2026-03-03'],
  ['3. maaliskuuta 2026', '2026-03-03'],
  ['3 Mart 2026', '2026-03-03'],
  ['3 Μαρτίου 2026', '2026-03-03'],
  ['3 maart 2026', '2026-03-03'],
  ['3 d’abril de 2026', '2026-04-03'],
  ['03-Sept-2026', '2026-09-03'],
  ['March 3rd, 2026', '2026-03-03'],
  ['13/11/2026', '2026-11-13'],
  ['11/13/2026', '2026-11-13'],
])('reads the date %s', (text, day) => {
  expect(readDay(text)).toBe(day)
})

test.each([
  '',
  'yesterday',
  '31 February 2026',
  '2026-13-01',
  'Room 12, 2026',
  '3/11/2026',
  '1 Foo 2026',
])('reads no date from %s', (text) => {
  expect(readDay(text)).toBeNull()
})

test("reads the date 3/11 according to the page's language", () => {
  expect(readDay('3/11/2026', { language: 'en-US' })).toBe('2026-03-11')
  expect(readDay('3/11/2026', { language: 'en-GB' })).toBe('2026-11-03')
})

test.each([
  ['Posted 3 days ago', '2026-11-17'],
  ['an hour ago', '2026-11-20'],
  ['2 weeks ago', '2026-11-06'],
  ['vor 3 Tagen', '2026-11-17'],
  ['il y a une semaine', '2026-11-13'],
  ['hace 3 días', '2026-11-17'],
])('counts back from the day on which the story was read: %s', (text, day) => {
  expect(readDay(text, { today: '2026-11-20' })).toBe(day)
  expect(readDay(text)).toBeNull()
})

test('drops dates more than one day in the future, which allows for time zones', () => {
  expect(notInFuture('2026-11-21', '2026-11-20T10:00:00.000000Z')).toBe('2026-11-21')
  expect(notInFuture('2026-11-23', '2026-11-20T10:00:00.000000Z')).toBeNull()
  expect(notInFuture(null, '2026-11-20T10:00:00.000000Z')).toBeNull()
})

test('finds the day in a URL and distinguishes a date line from a sentence', () => {
  expect(dayInUrl('https://acme.example/2026/11/3/title')).toBe('2026-11-03')
  expect(dayInUrl('https://acme.example/p/20261103')).toBeNull()
  expect(isDateLine('Posted: 3 November 2026')).toBe(true)
  expect(isDateLine('On 3 November 2026 we opened our new office in the harbour')).toBe(false)
})

test('returns an infinite distance to an unknown day', () => {
  expect(daysApart('2026-11-03', '2026-10-31')).toBe(3)
  expect(daysApart('2026-11-03', null)).toBe(Number.POSITIVE_INFINITY)
})
