/** A page to render, sent to the render process. */
export interface RenderTask {
  executable: string
  url: string
  /** The page's HTML as received. The page is not requested again. */
  html: string
  /** Time after which the page is read even if it still changes, in milliseconds. */
  settleMs: number
  /** Maximum length of the rendered HTML, in characters. */
  maxLength: number
}

/** A request of the page. The worker decides whether to send it. */
export interface RenderRequest {
  id: number
  url: string
  /** Chromium's type of the request, such as `script` or `xhr`. */
  type: string
}

/** The response to a request of the page; null if it was refused or failed. */
export interface RenderResponse {
  id: number
  response: { contentType: string; body: Uint8Array } | null
}

/** A message of the render process, which is first ready for a task. */
export type RenderMessage = { ready: true } | { request: RenderRequest } | { html: string } | { error: string }
