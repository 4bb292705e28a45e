import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { classifyIndustry, INDUSTRIES } from '../../../../src/enrichment/company/naics/classify.ts'

const codeOf = (text: string): string | undefined => classifyIndustry([{ text, weight: 1 }])?.code

describe('classifyIndustry', () => {
  it.each([
    ['law firm', '541110'],
    ['Steuerberatungskanzlei', '541213'],
    ['fabricants de vannes industrielles', '332911'],
    ['piekarnia rzemieślnicza', '311811'],
    ['歯科医院', '621210'],
    ['сироварня', '311513'],
    ['soybean farming', '111110'],
    ['independent registered investment adviser', '523940'],
  ])('maps %s to %s', (text, code) => {
    expect(codeOf(text)).toBe(code)
  })

  it('returns the title of the code', () => {
    expect(classifyIndustry([{ text: 'law firm', weight: 1 }])?.title).toBe('Offices of Lawyers')
  })

  it('weighs several texts', () => {
    const texts = [
      { text: 'bakery', weight: 0.8 },
      { text: 'dental clinic', weight: 0.2 },
    ]
    const found = classifyIndustry(texts)
    expect(found?.code).toBe('311811')
    expect(found?.probability).toBeLessThanOrEqual(0.8)
  })

  it('returns undefined for texts without known words', () => {
    expect(classifyIndustry([{ text: '…', weight: 1 }])).toBeUndefined()
    expect(classifyIndustry([])).toBeUndefined()
  })
})

describe('the NAICS lists', () => {
  it('contain the 1,012 industries of 2022 in 24 ranges of sectors, in order', () => {
    const codes = INDUSTRIES.map(([code]) => code)
    expect(codes).toHaveLength(1012)
    expect(codes).toEqual([...new Set(codes)].toSorted())
    expect(codes.every((code) => /^\d{6}$/u.test(code))).toBe(true)
    expect(new Set(codes.map((code) => code.slice(0, 2))).size).toBe(24)
    expect(INDUSTRIES.every(([, title]) => title === title.trim() && title !== '')).toBe(true)
  })

  it('contain kinds of businesses only with codes of 2022, in order', () => {
    const codes = new Set(INDUSTRIES.map(([code]) => code))
    const lines = readFileSync(new URL('../../../../src/enrichment/company/naics/kinds.tsv', import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(lines.filter(([code = '']) => !codes.has(code))).toEqual([])
    expect(lines.filter((cells) => cells.length < 3 || cells.some((cell) => cell !== cell.trim()))).toEqual([])
    const keys = lines.map(([code, language]) => `${code} ${language}`)
    expect(keys).toEqual([...new Set(keys)].toSorted())
  })
})
