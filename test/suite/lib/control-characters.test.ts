import { describe, expect, it } from 'vitest'
import {
  printable,
  printableJson,
  printableLogLine,
  valuesWithoutControls,
  withoutControls,
} from '../../../src/lib/control-characters.ts'

describe('stored text', () => {
  it.each([
    ['a right-to-left override', 'invoice\u202egnp.exe', 'invoicegnp.exe'],
    ['isolates and direction marks', '\u2066a\u2069\u200eb\u200f\u061c', 'ab'],
    ['a terminal sequence', '\u001b[2J\u001b[31mRed\u001b[0m', 'Red'],
    ['a single-byte control sequence introducer', '\u009b31mRed', 'Red'],
    ['controls', 'a\0b\u0008c\u007fd', 'abcd'],
    ['controls that separate words', 'a\vb\fc\u0085d', 'a b c d'],
    ['invisible characters', 'so\u00adft\u200bware\ufeff\u2060', 'software'],
    ['joiners in Latin text', 'pay\u200dpal\u200c', 'paypal'],
    ['hidden tags', 'name\u{e0069}\u{e0067}', 'name'],
  ])('removes %s from stored text', (_, text, stored) => {
    expect(withoutControls(text)).toBe(stored)
  })

  it.each([
    ['a Persian name with a zero-width non-joiner', 'علی\u200cرضا'],
    ['a Hindi word with a zero-width joiner', 'क्\u200dष'],
    ['a Malayalam chillu', 'അവന്\u200d'],
    ['a family emoji', '👨\u200d👩\u200d👧'],
    ['an emoji with skin tone and profession', '👩🏽\u200d⚕\ufe0f'],
    ['the flag of England', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['a Japanese name with a variation selector', '葛\u{e0100}城'],
    ['Hebrew, Arabic and Thai', 'בנק לאומי، البنك الأهلي ธนาคาร'],
    ['combining accents', 'e\u0301le\u0300ve'],
    ['tabs and line breaks', 'a\tb\r\nc'],
    ['non-breaking spaces and typography', 'A\u00a0B – “C”\u202fD'],
  ])('keeps %s in stored text', (_, text) => {
    expect(withoutControls(text)).toBe(text)
  })

  it('cleans every value of a stored document', () => {
    expect(valuesWithoutControls({ a: ['x\u202e', { b: '\u0007y' }], c: 1, d: null })).toEqual({
      a: ['x', { b: 'y' }],
      c: 1,
      d: null,
    })
  })
})

describe('printed text', () => {
  it('printed text moves no cursor and reorders no line', () => {
    expect(printable('10%\r100%\u001b[1A\u202e.\u0008')).toBe('10%100%.')
    expect(printable('a\tb\nc علی\u200cرضا')).toBe('a\tb\nc علی\u200cرضا')
  })

  it('escapes control characters in printed JSON', () => {
    const value = { a: '\u202e\u009b\u007f\u001b' }
    const printed = printableJson(JSON.stringify(value))
    expect(printed).toBe(String.raw`{"a":"\u202e\u009b\u007f\u001b"}`)
    expect(JSON.parse(printed)).toEqual(value)
  })

  it('prints no control characters in a log line or in the values that a reader unescapes', () => {
    const line = JSON.stringify({ msg: 'a\u001b[2J\r\b\fb\n\t"\\r\\u001b', 'k\u202e': '\u009bc' })
    expect(JSON.parse(printableLogLine(line))).toEqual({ msg: 'a[2Jb\n\t"\\r\\u001b', k: 'c' })
  })
})
