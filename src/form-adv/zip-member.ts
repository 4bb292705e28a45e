import { pipeline } from 'node:stream'
import type { Entry, ZipFile } from 'yauzl'
import { openPromise } from 'yauzl'
import { AppError, messageOf } from '../lib/errors.ts'
import type { RosterBytes } from './roster-bytes.ts'
import { damaged, limitBytes, spreadsheet, tooLarge } from './roster-bytes.ts'

/** Real rosters pack 4 to 1; the emptiest ones below 50 to 1. */
const HIGHEST_RATIO = 200
/** Below this size a ratio says nothing. */
const SMALL_BYTES = 50 * 2 ** 20

/** The one roster in a zip. Nothing is written to disk, so a member's name can lead nowhere; yauzl refuses unsafe ones all the same. */
export async function openZipMember(path: string, file: string, maxBytes: number): Promise<RosterBytes> {
  const zip = await openZip(path, file)
  try {
    const entry = onlyRoster(await listEntries(zip, file), file)
    if (entry.isEncrypted())
      throw new AppError('bad_input', `${file} is encrypted. Unpack it and import what is in it.`)
    const bomb =
      entry.uncompressedSize > SMALL_BYTES && entry.uncompressedSize > HIGHEST_RATIO * (entry.compressedSize || 1)
    if (bomb || entry.uncompressedSize > maxBytes) throw tooLarge(file, bomb ? SMALL_BYTES : maxBytes)
    return { ...memberBytes(zip, entry, file, maxBytes), [Symbol.asyncDispose]: async () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** A member's bytes. `file` is what messages call them; the zip stays the caller's to close. */
export function memberBytes(zip: ZipFile, entry: Entry, file: string, maxBytes: number): RosterBytes {
  return {
    file,
    name: entry.fileName.split('/').at(-1) as string,
    size: entry.uncompressedSize,
    crc32: entry.crc32,
    async read() {
      const unpacked = await zip.openReadStreamPromise(entry).catch((error: unknown) => {
        throw damaged(file, error)
      })
      // A failure reaches the reader through the stream itself.
      return pipeline(unpacked, limitBytes(file, maxBytes), () => undefined)
    },
    async [Symbol.asyncDispose]() {},
  }
}

async function openZip(path: string, file: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { lazyEntries: true, autoClose: false })
  } catch (error) {
    throw damaged(file, error)
  }
}

async function listEntries(zip: ZipFile, file: string): Promise<Entry[]> {
  const entries: Entry[] = []
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry)
  } catch (error) {
    throw new AppError('bad_input', `${file} is not a zip file that can be read: ${messageOf(error)}.`, {
      cause: error,
    })
  }
  // What a Mac adds beside each member is no member.
  return entries.filter(
    ({ fileName }) => !fileName.endsWith('/') && !/(^|\/)(__MACOSX\/|\._|\.DS_Store)/.test(fileName),
  )
}

function onlyRoster(entries: Entry[], file: string): Entry {
  const names = entries.map(({ fileName }) => fileName)
  if (names.includes('[Content_Types].xml') || names.some((name) => name.startsWith('xl/'))) throw spreadsheet(file)
  const rosters = entries.filter(({ fileName }) => /\.(csv|txt|xml)$/i.test(fileName))
  const [roster, another] = rosters
  if (another)
    throw new AppError(
      'bad_input',
      `${file} holds several files (${rosters.map(({ fileName }) => fileName).join(', ')}). Unpack it and import them in order of date.`,
    )
  if (roster) return roster
  const workbook = names.find((name) => /\.xls[xmb]?$/i.test(name))
  if (workbook) throw spreadsheet(`${workbook} in ${file}`)
  throw new AppError(
    'bad_input',
    `${file} holds no .csv, .txt or .xml${names.length ? `, only ${names.slice(0, 5).join(', ')}` : ''}.`,
  )
}
