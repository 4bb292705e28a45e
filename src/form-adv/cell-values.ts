import type { FirmFieldType } from '../contract/firm-fields.ts'
import { MAX_INTEGER } from '../lib/storable-text.ts'
import { isDay } from '../lib/timestamps.ts'

/** A typed value. Amounts of money are text, because floating-point numbers lose cents. */
export type CellValue = string | number | boolean | string[] | null

/** Thrown if a cell is invalid for its column. The message becomes the row's rejection reason. */
export class CellError extends Error {
  override readonly name = 'CellError'
}

const NUMBER = /^\$?(-?)\$?([\d,]*)(\.\d*)?%?$/

/** Converts `829,845,109.00`, ` .00`, `$5` and `35557038` to `829845109.00`, `0.00`, `5` and `35557038`. */
export function parseMoney(cell: string): string | null {
  const text = cell.trim()
  if (text === '') return null
  const [, sign = '', whole = '', fraction = ''] = NUMBER.exec(text) ?? []
  const digits = whole.replaceAll(',', '')
  if (digits === '' && fraction.length < 2) throw new CellError(`"${shorten(text)}" is not an amount of money`)
  if (digits.length > 15) throw new CellError(`"${shorten(text)}" exceeds 15 digits`)
  const cents = fraction.slice(1, 3)
  return `${sign}${digits || '0'}${cents && `.${cents}`}`
}

/** Converts `1,642`, `57.00` and `12%` to 1642, 57 and 12. */
export function parseInteger(cell: string): number | null {
  const text = cell.trim()
  if (text === '') return null
  const [, sign, whole, fraction = ''] = NUMBER.exec(text) ?? []
  const value = Number(`${sign}${whole?.replaceAll(',', '')}`)
  if (!whole || sign || !Number.isInteger(value) || value > MAX_INTEGER || /[1-9]/.test(fraction))
    throw new CellError(`"${shorten(text)}" is not a count`)
  return value
}

const US_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:\s.*)?$/
const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T\s].*)?$/

/** Converts `3/4/2022`, `03/04/2022` and `2022-03-04` to `2022-03-04`. */
export function parseDate(cell: string): string | null {
  const text = cell.trim()
  if (text === '') return null
  const us = US_DATE.exec(text)
  const iso = ISO_DATE.exec(text)
  const [year, month, day] = us ? [us[3], us[1], us[2]] : iso ? [iso[1], iso[2], iso[3]] : []
  const date = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`
  if (!isDay(date)) throw new CellError(`"${shorten(text)}" is not a date`)
  return date
}

const YES = /^(y|yes|true)$/i
const NO = /^(n|no|false)$/i

export function parseBoolean(cell: string): boolean | null {
  const text = cell.trim()
  if (text === '') return null
  if (YES.test(text)) return true
  if (NO.test(text)) return false
  throw new CellError(`"${shorten(text)}" is neither Y nor N`)
}

export const parseText = (cell: string): string | null => cell.trim() || null

/** Parses the state codes from `CA-10/26/2020, FL-06/09/2021` to ['CA', 'FL']. */
export function parseStates(cell: string): string[] {
  const codes = cell.split(/[,;]/).map((part) => /^\s*([A-Z]{2})\b/i.exec(part)?.[1]?.toUpperCase())
  return [...new Set(codes.filter((code) => code !== undefined))].sort()
}

/** Default parser for each type. */
export const PARSE: Record<FirmFieldType, (cell: string) => CellValue> = {
  text: parseText,
  'text[]': parseStates,
  integer: parseInteger,
  money: parseMoney,
  boolean: parseBoolean,
  date: parseDate,
}

/** Normalizes numbers, because layouts write the same number differently: `829,845,109.00` and `829845109`. */
export function tidyItem(cell: string): string {
  const text = cell.trim()
  return /^-?[\d,]*\.\d\d$|^-?\d{1,3}(,\d{3})+$/.test(text)
    ? text
        .replaceAll(',', '')
        .replace(/\.00$/, '')
        .replace(/^(-?)(?=\.|$)/, '$10')
    : text
}

const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
