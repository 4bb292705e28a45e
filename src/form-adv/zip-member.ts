import { pipeline } from 'node:stream'
import type { Entry, ZipFile } from 'yauzl'
import { openPromise } from 'yauzl'
import { AppError, messageOf } from '../lib/errors.ts'
import type { RosterBytes } from './roster-bytes.ts'
import { damaged, limitBytes, spreadsheet, tooLarge } from './roster-bytes.ts'

/** Maximum compression ratio. The ratio is about 4:1 for real rosters, and below 50:1 for nearly empty rosters. */
const HIGHEST_RATIO = 200
/** Files up to this size are exempt from the ratio limit. */
const SMALL_BYTES = 50 * 2 ** 20

/**
 * Opens the roster in a zip that contains exactly one roster, without extracting the roster to disk. yauzl rejects
 * unsafe file names.
 */
export async function openZipMember(path: string, file: string, maxBytes: number): Promise<RosterBytes> {
  const zip = await openZip(path, file)
  try {
    const entry = onlyRoster(await listEntries(zip, file), file)
    if (entry.isEncrypted()) throw new AppError('bad_input', `${file} is encrypted. Extract it and import the roster.`)
    const bomb =
      entry.uncompressedSize > SMALL_BYTES && entry.uncompressedSize > HIGHEST_RATIO * (entry.compressedSize || 1)
    if (bomb || entry.uncompressedSize > maxBytes) throw tooLarge(file, bomb ? SMALL_BYTES : maxBytes)
    return { ...memberBytes(zip, entry, file, maxBytes), [Symbol.asyncDispose]: async () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** Streams a file in a zip. The caller closes the zip. `file` is the name used in messages. */
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
      // The stream reports errors to its reader, so the callback ignores them.
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
    throw new AppError('bad_input', `${file} is not a readable zip file: ${messageOf(error)}.`, {
      cause: error,
    })
  }
  // Skip directories and files that macOS adds.
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
      `${file} contains several files (${rosters.map(({ fileName }) => fileName).join(', ')}). Extract them and import them by date.`,
    )
  if (roster) return roster
  const workbook = names.find((name) => /\.xls[xmb]?$/i.test(name))
  if (workbook) throw spreadsheet(`${workbook} in ${file}`)
  throw new AppError(
    'bad_input',
    `${file} contains no .csv, .txt or .xml file${names.length ? `, only ${names.slice(0, 5).join(', ')}` : ''}.`,
  )
}
