import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import { sleep } from '../../src/lib/backoff.ts'
import { systemCode } from '../../src/lib/errors.ts'
import type { Sink, StoredObject } from './sink.ts'

/** Name prefix of draft files. */
const DRAFT = '.draft-'
const LOCK_STALE_MS = 10_000

/**
 * A sink that stores objects in a folder. Writes each object to a draft file, syncs the file to disk, and then renames
 * it.
 */
export function directorySink(folder: string): Sink {
  const pathOf = (key: string): string => join(folder, ...key.split('/'))

  async function writeDraft(path: string, content: Readable): Promise<string> {
    const draft = join(dirname(path), `${DRAFT}${randomUUID()}`)
    await mkdir(dirname(path), { recursive: true })
    try {
      await pipeline(content, createWriteStream(draft, { flush: true }))
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    return draft
  }

  const sink: Sink = {
    url: pathToFileURL(folder).href,

    async write(key, content) {
      await rename(await writeDraft(pathOf(key), content), pathOf(key))
      await syncFolder(dirname(pathOf(key)))
    },

    async create(key, text) {
      const draft = await writeDraft(pathOf(key), Readable.from([text]))
      try {
        await link(draft, pathOf(key)) // unlike rename, link fails if the name exists
        await syncFolder(dirname(pathOf(key)))
        return true
      } catch (error) {
        if (systemCode(error) === 'EEXIST') return false
        throw error
      } finally {
        await rm(draft, { force: true })
      }
    },

    async replace(key, text, tag) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true })
      await using _lock = await lockFile(`${path}.lock`)
      const present = await readFile(path, 'utf8').catch(absent)
      if ((present === undefined ? null : tagOf(present)) !== tag) return false
      await sink.write(key, Readable.from([text]))
      return true
    },

    async read(key) {
      const path = pathOf(key)
      const found = await stat(path).catch(absent)
      if (!found?.isFile()) return undefined
      // The tag is a hash only for small files, because large files are never replaced conditionally.
      const tag = found.size < 1_048_576 ? tagOf(await readFile(path, 'utf8')) : `${found.mtimeMs}-${found.size}`
      return { body: createReadStream(path), tag }
    },

    async *list(prefix) {
      for (const path of (await readdir(folder, { recursive: true }).catch(absent)) ?? []) {
        const key = path.split(sep).join('/')
        const found = key.startsWith(prefix) && !isOurs(key) ? await stat(join(folder, path)).catch(absent) : undefined
        if (found?.isFile())
          yield { key, bytes: found.size, modified: found.mtime.toISOString() } satisfies StoredObject
      }
    },

    async remove(keys) {
      for (const key of keys) {
        await rm(pathOf(key), { force: true })
        await removeEmpty(dirname(pathOf(key)), folder)
      }
    },

    async abandonUnfinished(before) {
      let abandoned = 0
      for (const path of (await readdir(folder, { recursive: true }).catch(absent)) ?? []) {
        if (!path.split(sep).at(-1)?.startsWith(DRAFT)) continue
        const found = await stat(join(folder, path)).catch(absent)
        if (!found || found.mtime >= before) continue
        await rm(join(folder, path), { force: true })
        abandoned += 1
      }
      return abandoned
    },
  }
  return sink
}

const isOurs = (key: string): boolean => key.includes(`/${DRAFT}`) || key.startsWith(DRAFT) || key.endsWith('.lock')

const tagOf = (text: string): string => createHash('sha256').update(text).digest('hex')

function absent(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error
  return undefined
}

/**
 * Creates a lock file, which only one process can hold. Removes a lock file that has not changed for ten seconds,
 * because the process that created it is assumed dead. This process measures the age instead of comparing its clock
 * with the file's modification time, because a file server may have set that time.
 */
async function lockFile(path: string): Promise<AsyncDisposable> {
  let waited = { for: 0, since: 0 }
  for (;;) {
    try {
      await (await open(path, 'wx')).close()
      return { [Symbol.asyncDispose]: () => rm(path, { force: true }) }
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
      const found = await stat(path).catch(absent)
      if (found && found.mtimeMs !== waited.for) waited = { for: found.mtimeMs, since: performance.now() }
      else if (found && performance.now() - waited.since > LOCK_STALE_MS) await rm(path, { force: true })
      await sleep(20)
    }
  }
}

/** Syncs the folder. Without the sync, a rename could be lost if the machine crashes. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

async function removeEmpty(path: string, root: string): Promise<void> {
  if (relative(root, path) === '' || (await readdir(path).catch(absent))?.length !== 0) return
  await rm(path, { recursive: true, force: true })
  await removeEmpty(dirname(path), root)
}
