import { describe, expect, it } from 'vitest'
import type { PageBytes } from '../../../../../src/enrichment/fetching/fetched.ts'
import type { ReadPages } from '../../../../../src/enrichment/providers/website/read-pages.ts'
import { readPagesHere } from '../../../../../src/enrichment/providers/website/read-pages.ts'
import type { ReadingSettings } from '../../../../../src/enrichment/providers/website/reader-pool.ts'
import { openReaderPool } from '../../../../../src/enrichment/providers/website/reader-pool.ts'
import { cpuSeconds } from '../../../../helpers/cpu-seconds.ts'

const { signal: never } = new AbortController()
const page = (html: string): PageBytes => ({ url: 'http://acme.example/', charset: 'utf-8', body: Buffer.from(html) })
const links = (readPages: ReadPages, html: string, signal = never) =>
  readPages(
    'readLinks',
    { page: page(html), kind: 'home', siteDomain: 'acme.example', groups: new Set(['company']) },
    signal,
  )

const HONEST = '<nav><a href="/team">Our team</a></nav>'
/** A page with millions of elements, which takes seconds of CPU time and gigabytes of memory. */
const HUGE = '<b>x</b>'.repeat(2_000_000)

const open = (over: Partial<ReadingSettings>) => openReaderPool({ processes: 2, seconds: 30, megabytes: 512, ...over })

describe('the reader pool', () => {
  it('the reader pool returns the same findings as reading in this process', async () => {
    await using readers = open({})
    const site = {
      siteDomain: 'acme.example',
      pages: [
        { kind: 'home' as const, ...page('<title>Acme Capital</title><p>Founded in 1987, we are 45 people.</p>') },
      ],
      feeds: [page('<rss version="2.0"><channel><item><title>Acme opens an office</title></item></channel></rss>')],
    }
    const input = {
      site,
      domain: 'acme.example',
      known: { name: 'Acme Capital' },
      groups: new Set(['company', 'leadership', 'signals'] as const),
      maxPeople: 5,
      maxArticles: 5,
      observedAt: '2026-11-21T00:00:00.000000Z',
    }
    const here = await readPagesHere('readFindings', input, never)
    expect(here.observations).not.toEqual([])
    expect(await readers.readPages('readFindings', input, never)).toEqual(here)
    expect(await links(readers.readPages, HONEST)).toEqual(await links(readPagesHere, HONEST))
  })

  it('the reader pool kills a reading over its time limit while other readings continue', async () => {
    await using readers = open({ seconds: 1 })
    const spent = cpuSeconds(async () => {
      const slow = links(readers.readPages, HUGE)
      const outcome = expect(slow).rejects.toMatchObject({
        code: 'unavailable',
        message: 'reading the page takes more than 1 s',
      })
      expect((await links(readers.readPages, HONEST)).links).toMatchObject([{ url: 'http://acme.example/team' }])
      await outcome
    })
    // In this process, the huge page would take more CPU than the limit.
    expect(await spent).toBeLessThan(1)
    expect((await links(readers.readPages, HONEST)).links).toMatchObject([{ url: 'http://acme.example/team' }])
  })

  it('the reader pool kills a reading over its memory limit and continues', async () => {
    await using readers = open({ processes: 1, megabytes: 64 })
    await expect(links(readers.readPages, HUGE)).rejects.toMatchObject({
      code: 'unprocessable',
      message: 'reading the page needs more than 64 MB',
    })
    expect((await links(readers.readPages, HONEST)).links).toMatchObject([{ url: 'http://acme.example/team' }])
  })

  it('the reader pool does not count queueing towards the time limit', async () => {
    await using readers = open({ processes: 1, seconds: 1 })
    const slow = links(readers.readPages, HUGE).catch(({ code }) => code)
    const waiting = links(readers.readPages, HONEST)
    expect(await slow).toBe('unavailable')
    expect((await waiting).links).toMatchObject([{ url: 'http://acme.example/team' }])
  })

  it('aborts a running or queued reading with its caller', async () => {
    await using readers = open({ processes: 1 })
    const stop = new AbortController()
    const both = [HUGE, HONEST].map((html) => links(readers.readPages, html, stop.signal))
    const outcomes = Promise.allSettled(both)
    setTimeout(() => stop.abort(new Error('the attempt was lost')), 300)
    expect(await outcomes).toMatchObject([HUGE, HONEST].map(() => ({ reason: { message: 'the attempt was lost' } })))
    expect((await links(readers.readPages, HONEST)).links).toMatchObject([{ url: 'http://acme.example/team' }])
  })
})
