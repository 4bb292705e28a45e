import { tmpdir } from 'node:os'
import type { Browser, BrowserContext, CDPSession, Page, Route } from 'playwright-core'
import { chromium } from 'playwright-core'
import { messageOf } from '../../lib/errors.ts'
import type { RenderMessage, RenderRequest, RenderResponse, RenderTask } from './messages.ts'

/**
 * Chromium sends no request itself: pages' requests are intercepted, and all other connections go to a proxy at a port
 * that accepts none. Hostnames are not resolved, and WebRTC may not bypass the proxy.
 */
const FLAGS = [
  '--proxy-server=http://127.0.0.1:1',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
  '--no-pings',
  '--disable-quic',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-file-system',
  '--disable-webgl',
  '--mute-audio',
  '--js-flags=--max-old-space-size=512',
]

/** Request types sent to the worker, which applies its own rules. All other types are refused here. */
const SENT = new Set(['script', 'xhr', 'fetch'])
/** A page is read if it has sent no request for this time. */
const IDLE_MS = 600
const POLL_MS = 100
/** Maximum number of requests sent to the worker, which has a lower limit. */
const MAX_REQUESTS = 500
const LAUNCH_MS = 60_000

const responses = new Map<number, (response: RenderResponse['response']) => void>()
let requests = 0

const send = (message: RenderMessage): void => void process.send?.(message)

let browser: Browser | undefined

// Chromium closes its processes in order. If it is killed, they remain until the init process collects them.
process.on('disconnect', () => {
  void Promise.resolve(browser?.close())
    .catch(() => {})
    .finally(() => process.exit())
})
process.on('message', (message: RenderTask | RenderResponse) => {
  if ('response' in message) {
    responses.get(message.id)?.(message.response)
    responses.delete(message.id)
    return
  }
  render(message).then(
    (html) => send({ html }),
    (error: unknown) => send({ error: messageOf(error) }),
  )
})

async function render({ executable, url, html, settleMs, maxLength }: RenderTask): Promise<string> {
  const isRoot = process.getuid?.() === 0
  browser = await chromium.launch({
    executablePath: executable,
    args: FLAGS,
    // Without this argument, Chromium blocks windows that a page opens by itself.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    chromiumSandbox: !isRoot,
    env: { HOME: tmpdir(), TMPDIR: tmpdir() },
    timeout: LAUNCH_MS,
  })
  const context = await browser.newContext({
    acceptDownloads: false,
    serviceWorkers: 'block',
    permissions: [],
    locale: 'en-US',
    viewport: { width: 1280, height: 4000 },
  })
  await context.addInitScript(RESTRICT)
  const page = await context.newPage()
  const activity = await intercept(context, page, { url, html })
  context.on('page', (popup) => void popup.close().catch(() => {}))
  await page.goto(url, { waitUntil: 'commit', timeout: settleMs }).catch(() => {})
  await settle(page, activity, settleMs)
  return await snapshot(await context.newCDPSession(page), maxLength)
}

/** Removes interfaces that open windows or connections. Each frame runs this script before the page's own scripts. */
const RESTRICT = `for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport',
  'open', 'print', 'alert', 'confirm', 'prompt'])
  try { Object.defineProperty(window, name, { value: name[0] < 'a' ? undefined : () => null }) } catch {}
try { Object.defineProperty(Navigator.prototype, 'sendBeacon', { value: () => false }) } catch {}`

interface Activity {
  pending: number
  /** Time of the last request or response. */
  at: number
}

/** Answers the page's requests. The document is the given HTML; later documents, such as frames, are refused. */
async function intercept(
  context: BrowserContext,
  page: Page,
  { url, html }: { url: string; html: string },
): Promise<Activity> {
  const activity: Activity = { pending: 0, at: performance.now() }
  let isLoaded = false
  const answer = async (route: Route): Promise<void> => {
    const request = route.request()
    const type = request.resourceType()
    if (!isLoaded && type === 'document' && request.url() === url) {
      isLoaded = true
      return await route.fulfill({ status: 200, contentType: 'text/html; charset=utf-8', body: html })
    }
    // Some bundlers load no script if its style sheet fails.
    if (type === 'stylesheet') return await route.fulfill({ status: 200, contentType: 'text/css', body: '' })
    if (!SENT.has(type) || request.method() !== 'GET' || requests >= MAX_REQUESTS)
      return await route.abort('blockedbyclient')
    const response = await ask({ id: ++requests, url: request.url(), type })
    if (!response) return await route.abort('failed')
    const { contentType, body } = response
    await route.fulfill({
      status: 200,
      // Requests carry no credentials, so pages may read any response that the worker sends.
      headers: { 'content-type': contentType, 'access-control-allow-origin': '*' },
      body: Buffer.from(body),
    })
  }
  await context.route('**/*', async (route) => {
    activity.pending += 1
    activity.at = performance.now()
    // The page may have been closed meanwhile.
    await answer(route).catch(() => {})
    activity.pending -= 1
    activity.at = performance.now()
  })
  await context.routeWebSocket(/.*/, (socket) => void socket.close())
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}))
  return activity
}

const ask = (request: RenderRequest): Promise<RenderResponse['response']> =>
  new Promise((resolve) => {
    responses.set(request.id, resolve)
    send({ request })
  })

/** Waits until the page has sent no request for a while, at most `limit` milliseconds. */
async function settle(page: Page, activity: Activity, limit: number): Promise<void> {
  const until = performance.now() + limit
  await page.waitForLoadState('domcontentloaded', { timeout: limit }).catch(() => {})
  while (performance.now() < until && (activity.pending > 0 || performance.now() - activity.at < IDLE_MS))
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
}

/**
 * Returns the page's HTML, cut to `maxLength` characters. Reads the page in a separate JavaScript world, in which the
 * page's scripts cannot replace functions.
 */
async function snapshot(session: CDPSession, maxLength: number): Promise<string> {
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id })
  const { result } = await session.send('Runtime.evaluate', {
    contextId: executionContextId,
    expression: `document.documentElement.outerHTML.slice(0, ${maxLength})`,
    returnByValue: true,
  })
  return String(result.value)
}

send({ ready: true })
