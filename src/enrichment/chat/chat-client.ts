import { Readable } from 'node:stream'
import { readBody } from '../fetching/read-body.ts'

/** An OpenAI-compatible chat completions service. */
export interface ChatService {
  /** Base URL of the service, including `/v1`. If empty, the service is disabled. */
  base_url: string
  model: string
  apiKey?: string | undefined
}

export interface ChatRequest {
  instructions: string
  text: string
  /** Maximum number of tokens in the response. */
  maxTokens: number
  /** Whether the response's content must be a JSON object. */
  isJson?: boolean
  signal: AbortSignal
}

/** Maximum size of a response: the content and a few kilobytes of metadata. */
const MAX_RESPONSE_BYTES = 256 * 1024

/**
 * Sends a text with instructions and returns the content of the response. The type of the content is not checked.
 * Throws if the service cannot be reached, rejects the request, or responds with more than 256 KiB or invalid JSON.
 */
export async function requestChat(
  { base_url, model, apiKey }: ChatService,
  { instructions, text, maxTokens, isJson = false, signal }: ChatRequest,
): Promise<unknown> {
  const response = await fetch(new URL('chat/completions', base_url.replace(/\/*$/u, '/')), {
    method: 'POST',
    redirect: 'error',
    headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
    body: JSON.stringify({
      model,
      temperature: 0,
      max_tokens: maxTokens,
      ...(isJson && { response_format: { type: 'json_object' } }),
      messages: [
        { role: 'system', content: instructions },
        { role: 'user', content: text },
      ],
    }),
    signal,
  })
  if (!response.ok) throw new Error(`status ${response.status}`)
  if (!response.body) throw new Error('response without a body')
  // `fetch` has already decompressed the body, so the limit applies to the decompressed size.
  const bytes = await readBody(Readable.fromWeb(response.body), '', MAX_RESPONSE_BYTES, signal)
  const body = JSON.parse(bytes.toString('utf8')) as { choices?: { message?: { content?: unknown } }[] }
  return body.choices?.[0]?.message?.content
}
