import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import PQueue from 'p-queue'
import { getDomain } from 'tldts'
import { messageOf } from '../../lib/errors.ts'
import type { Log } from '../../lib/logger.ts'
import { decodeText } from '../fetching/decode-text.ts'
import type { FetchedPage, PageBytes } from '../fetching/fetched.ts'
import type { Fetcher } from '../fetching/fetcher.ts'
import { findChromium } from './find-chromium.ts'
import type { RenderMessage, RenderRequest, RenderResponse, RenderTask } from './messages.ts'
import { killAll, memoryOf, processTree } from './process-tree.ts'
import type { RenderingSettings } from './settings.ts'

/** Renders pages that only scripts draw. */
export interface Renderer extends AsyncDisposable {
  /** Starts the rendering of one company's pages, which share the limits per company. */
  startCompany(siteDomain: string): CompanyRenderer
}

export interface CompanyRenderer {
  /**
   * Runs a page's scripts and returns the page as drawn. Returns null if a limit is exceeded or rendering fails. Throws
   * only if the signal is aborted.
   */
  render(page: PageBytes, signal: AbortSignal): Promise<PageBytes | null>
}

/** A page as drawn, or the reason why it could not be rendered. */
type Rendered = { html: string } | { failure: string }

const RENDER_PROCESS = fileURLToPath(new URL(`render-process${extname(import.meta.url)}`, import.meta.url))
/** Time after which a page is read even if it still changes, in milliseconds. */
const SETTLE_MS = 10_000
const WATCH_MS = 100
/** Time for closing Chromium, in milliseconds. */
const CLOSE_MS = 2000
/** Maximum number of messages from the render process. */
const MAX_MESSAGES = 1000
const ACCEPT = 'application/json,text/javascript,*/*;q=0.5'

export interface RendererDeps {
  /** Sends all requests of the pages. */
  fetcher: Fetcher
  /** Maximum length of a rendered page. */
  maxPageBytes: number
  log: Log
}

/** Creates a renderer. Throws `configuration` if Chromium or playwright-core is not installed. */
export function createRenderer(settings: RenderingSettings, { fetcher, maxPageBytes, log }: RendererDeps): Renderer {
  const executable = findChromium(settings.executable)
  const queue = new PQueue({ concurrency: settings.processes })
  const running = new Set<RenderProcess>()
  return {
    startCompany(siteDomain) {
      const requests = new CompanyRequests(settings, fetcher, siteDomain)
      let pages = 0
      let left = settings.seconds * 1000
      return {
        async render(page, signal) {
          pages += 1
          if (pages > settings.pages_per_company) return null
          const queued = performance.now()
          const rendered = await queue.add(
            async (): Promise<Rendered> => {
              left -= performance.now() - queued
              if (left <= 0) return { failure: 'the time limit of the company is exceeded' }
              const rendering = new RenderProcess(settings.megabytes)
              running.add(rendering)
              const started = performance.now()
              try {
                const task = {
                  executable,
                  url: page.url,
                  html: decodeText(page),
                  settleMs: Math.min(SETTLE_MS, left),
                  maxLength: maxPageBytes,
                }
                return await rendering.render(task, requests, left, signal)
              } finally {
                running.delete(rendering)
                left -= performance.now() - started
              }
            },
            { signal },
          )
          signal.throwIfAborted()
          if ('html' in rendered) return { url: page.url, charset: 'utf-8', body: Buffer.from(rendered.html) }
          log.warn({ reason: rendered.failure, host: new URL(page.url).host }, 'rendering a page failed')
          return null
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...running].map((rendering) => rendering.stop()))
    },
  }
}

/** The requests of one company's rendered pages. Responses are kept, because pages load the same scripts. */
class CompanyRequests {
  readonly #fetcher: Fetcher
  readonly #siteDomain: string
  readonly #known = new Map<string, Promise<RenderResponse['response']>>()
  #requests: number
  #bytes: number

  constructor(settings: RenderingSettings, fetcher: Fetcher, siteDomain: string) {
    this.#fetcher = fetcher
    this.#siteDomain = siteDomain
    this.#requests = settings.requests_per_company
    this.#bytes = settings.max_bytes
  }

  /** Sends a request of a page, or returns null if it is not allowed. Data is read only from the company's own site. */
  send({ url, type }: RenderRequest, signal: AbortSignal): Promise<RenderResponse['response']> {
    const known = this.#known.get(url)
    if (known) return known
    if (!URL.canParse(url) || (type !== 'script' && !this.#isOwn(url)) || this.#requests <= 0 || this.#bytes <= 0)
      return Promise.resolve(null)
    this.#requests -= 1
    const response = this.#fetch(url, signal)
    this.#known.set(url, response)
    return response
  }

  #isOwn(url: string): boolean {
    return getDomain(url) === this.#siteDomain || new URL(url).hostname === this.#siteDomain
  }

  async #fetch(url: string, signal: AbortSignal): Promise<RenderResponse['response']> {
    const fetched = await this.#fetcher.get(url, { signal, accept: ACCEPT, maxBytes: this.#bytes }).catch(() => null)
    if (fetched?.outcome !== 'page') return null
    const { body }: FetchedPage = fetched
    this.#bytes -= body.length
    if (this.#bytes < 0) return null
    return {
      contentType: fetched.charset ? `${fetched.contentType}; charset=${fetched.charset}` : fetched.contentType,
      body,
    }
  }
}

/** A process that renders one page with its own Chromium and its own profile. */
class RenderProcess {
  readonly #megabytes: number
  #child: ChildProcess | undefined
  #exited: Promise<unknown> = Promise.resolve()

  constructor(megabytes: number) {
    this.#megabytes = megabytes
  }

  async render(task: RenderTask, requests: CompanyRequests, limit: number, signal: AbortSignal): Promise<Rendered> {
    const profile = await mkdtemp(join(tmpdir(), 'talhouse-render-'))
    const stopped = new AbortController()
    const until = AbortSignal.any([signal, stopped.signal, AbortSignal.timeout(Math.max(1, Math.ceil(limit)))])
    const result = Promise.withResolvers<Rendered>()
    const fail = (failure: string): void => {
      this.#killChromium()
      result.resolve({ failure })
    }
    until.addEventListener('abort', () => fail(`rendering takes more than ${(limit / 1000).toFixed(0)} s`), {
      once: true,
    })
    // Pages are hostile, so neither this process nor Chromium receives the worker's environment.
    const child = fork(RENDER_PROCESS, {
      serialization: 'advanced',
      execArgv: ['--max-old-space-size=256'],
      env: { HOME: profile, TMPDIR: profile },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child = child
    this.#exited = once(child, 'exit').catch(() => {})
    child.on('error', (error) => fail(messageOf(error))).on('exit', () => fail('the render process exited'))
    let messages = 0
    child.on('message', (message: RenderMessage) => {
      messages += 1
      if (messages > MAX_MESSAGES) fail('the page sends too many requests')
      else if ('html' in message) result.resolve(message)
      else if ('error' in message) fail(message.error)
      else if ('ready' in message) child.send(task)
      else void this.#answer(message.request, requests, until)
    })
    const watch = setInterval(() => {
      if (child.pid !== undefined && memoryOf(processTree(child.pid)) > this.#megabytes)
        fail(`rendering needs more than ${this.#megabytes} MB`)
    }, WATCH_MS)
    try {
      return await result.promise
    } finally {
      clearInterval(watch)
      stopped.abort()
      await this.stop()
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(() => {})
    }
  }

  async #answer(request: RenderRequest, requests: CompanyRequests, until: AbortSignal): Promise<void> {
    const response = await requests.send(request, until)
    if (this.#child?.connected) this.#child.send({ id: request.id, response } satisfies RenderResponse, () => {})
  }

  /** Stops the process, which first closes Chromium. Kills both if this takes too long. */
  async stop(): Promise<void> {
    const child = this.#child
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const all = processTree(child.pid)
    if (child.connected) child.disconnect()
    const timer = setTimeout(() => killAll(all), CLOSE_MS)
    await this.#exited
    clearTimeout(timer)
  }

  #killChromium(): void {
    const pid = this.#child?.pid
    if (pid !== undefined) killAll(processTree(pid).slice(1))
  }
}
