import { once } from 'node:events'
import { connect } from 'node:net'

export interface RawReply {
  status: number
  headers: Record<string, string>
  body: string
}

/**
 * Sends raw bytes and reads until the server closes the connection. Returns null if the connection is closed without a
 * response.
 */
export async function sendRaw(url: string, bytes: string): Promise<RawReply | null> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => undefined) // The server may reset the connection after the response.
  socket.write(bytes)
  await once(socket, 'close')
  return text === '' ? null : parseReply(text)
}

function parseReply(text: string): RawReply {
  const [head = '', ...body] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 2),
  ])
  return { status: Number(statusLine.split(' ')[1]), headers: Object.fromEntries(headers), body: body.join('\r\n\r\n') }
}
