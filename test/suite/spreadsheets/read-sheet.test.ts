import { describe, expect, it } from 'vitest'
import { findColumns } from '../../../src/spreadsheets/find-columns.ts'
import { readSheet } from '../../../src/spreadsheets/read-sheet.ts'
import { freeHeadings, sheetText } from '../../../src/spreadsheets/write-sheet.ts'

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding)

describe('reading a CSV file', () => {
  it('reads CSV cells with quotes, delimiters and line breaks, and keeps blank rows', () => {
    const sheet = readSheet(bytes('\uFEFFName,Site\r\n"A ""B"", C",a.example\r\n\r\n"two\nlines",\r\n\r\n'))
    expect(sheet).toEqual({
      columns: ['Name', 'Site'],
      rows: [
        { row: 2, cells: ['A "B", C', 'a.example'] },
        { row: 3, cells: ['', ''] },
        { row: 4, cells: ['two\nlines', ''] },
      ],
    })
  })

  it.each([
    ['semicolons', bytes('Firma;Ort\nMüller;Köln, Süd\n')],
    ['tabs in UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), bytes('Firma\tOrt\nMüller\tKöln, Süd\n', 'utf16le')])],
    ['Windows-1252', bytes('Firma;Ort\nMüller;Köln, Süd\n', 'latin1')],
  ])('detects %s in a CSV file', (_, file) => {
    expect(readSheet(file)).toEqual({
      columns: ['Firma', 'Ort'],
      rows: [{ row: 2, cells: ['Müller', 'Köln, Süd'] }],
    })
  })

  it('makes CSV headings unique and fills short rows', () => {
    expect(readSheet(bytes('Name,,name\nA\n'))).toEqual({
      columns: ['Name', 'Column 2', 'name 2'],
      rows: [{ row: 2, cells: ['A', '', ''] }],
    })
  })

  it.each([
    ['', 'no header row'],
    ['A,B\n1,2,3\n', 'Row 2 has 3 cells, but the header row has 2'],
    ['A,B\n"1,2\n', 'not valid CSV'],
  ])('refuses %j as a CSV file', (text, message) => {
    expect(() => readSheet(bytes(text))).toThrow(message)
  })
})

describe('finding the columns', () => {
  const columnsOf = (text: string, named = {}) => findColumns(readSheet(bytes(text)), named)

  it('recognizes the headings of the domain and name columns', () => {
    expect(columnsOf('Account Name,Web Site,HQ City,State/Province,Country,CRD #\n')).toEqual({
      name: 0,
      domain: 1,
      city: 2,
      state: 3,
      country: 4,
      crd_number: 5,
    })
  })

  it('recognizes a domain column by its values', () => {
    expect(columnsOf('A,B,C\nx,a@b.com,www.acme.com\ny,,https://birch.org/x\nz,,\n')).toEqual({ domain: 2 })
  })

  it('uses the named columns and refuses unknown columns', () => {
    const text = 'Company,Target\nAcme,Birch\n'
    expect(columnsOf(text, { name: 'target' })).toEqual({ name: 1 })
    expect(() => columnsOf(text, { domain: 'Url' })).toThrow(
      'There is no column "Url". The columns are: Company, Target.',
    )
    expect(() => columnsOf('A,B\n1,2\n')).toThrow(
      'No column contains domains, company names or identifiers. The columns are: A, B.',
    )
  })
})

describe('writing a CSV file', () => {
  it('prefixes formulas in a CSV file but not negative numbers', () => {
    expect(sheetText([['=1+1', '-2.5', '@x', '-2+3', 'a,b']])).toBe(`'=1+1,-2.5,'@x,'-2+3,"a,b"\r\n`)
  })

  it('a written CSV file does not reuse a heading of the input', () => {
    expect(freeHeadings(['name', 'domain'], ['Name', 'talhouse_name'])).toEqual(['talhouse_talhouse_name', 'domain'])
  })
})
