import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface S3StandIn extends AsyncDisposable {
  endpoint: string
  /** All objects, by `bucket/key`. Tests may change these objects. */
  objects: Map<string, Buffer>
  /** Open multipart uploads. */
  uploads: Map<string, { path: string; initiated: Date; parts: Map<number, Buffer> }>
  /** Received requests, such as `PUT bucket/key?query`. */
  requests: string[]
  /** Undeletable keys, by `bucket/key`. */
  undeletable: Set<string>
  /** Called before each request; a thrown error or a returned status becomes the response. */
  fault: ((request: string) => number | undefined) | undefined
}

/**
 * An S3 host with the real protocol and the features that s3rver lacks: conditional writes (`If-Match`,
 * `If-None-Match`; 412 if the condition fails, as documented by AWS), a list of open uploads, and faults on demand.
 */
export async function startS3StandIn(): Promise<S3StandIn> {
  const objects = new Map<string, Buffer>()
  const uploads: S3StandIn['uploads'] = new Map()
  const standIn: S3StandIn = {
    endpoint: '',
    objects,
    uploads,
    requests: [],
    undeletable: new Set(),
    fault: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer((request, response) => {
    answer(request, response, standIn).catch((error: unknown) =>
      sendError(response, 500, 'InternalError', String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  standIn.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return standIn
}

async function answer(request: IncomingMessage, response: ServerResponse, standIn: S3StandIn): Promise<void> {
  const { objects, uploads } = standIn
  const url = new URL(request.url ?? '/', 'http://s3')
  const path = decodeURIComponent(url.pathname.slice(1))
  const query = url.searchParams
  const body = await buffer(request)
  const name = `${request.method} ${path}${url.search}`
  standIn.requests.push(name)
  const status = standIn.fault?.(name)
  if (status !== undefined) return sendError(response, status, 'Fault', 'on demand')

  if (request.method === 'POST' && query.has('uploads')) {
    const id = randomUUID()
    uploads.set(id, { path, initiated: new Date(), parts: new Map() })
    return sendXml(
      response,
      `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    )
  }
  const upload = uploads.get(query.get('uploadId') ?? '')
  if (upload && request.method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body)
    return send(response, 200, { etag: tagOf(body) })
  }
  if (upload && request.method === 'POST') {
    objects.set(upload.path, Buffer.concat([...upload.parts].sort(([a], [b]) => a - b).map(([, part]) => part)))
    uploads.delete(query.get('uploadId') ?? '')
    return sendXml(response, '<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>')
  }
  if (upload && request.method === 'DELETE') {
    uploads.delete(query.get('uploadId') ?? '')
    return send(response, 204)
  }
  if (request.method === 'PUT') {
    const present = objects.get(path)
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers
    const failed =
      (ifNoneMatch === '*' && present) || (ifMatch !== undefined && (!present || tagOf(present) !== ifMatch))
    if (failed) return sendError(response, 412, 'PreconditionFailed', 'At least one of the pre-conditions did not hold')
    objects.set(path, body)
    return send(response, 200, { etag: tagOf(body) })
  }
  if (request.method === 'GET' && query.has('uploads')) return sendXml(response, openUploads(uploads, query))
  if (request.method === 'GET' && query.get('list-type') === '2')
    return sendXml(response, listOf(objects, path.replace(/\/$/, ''), query))
  if (request.method === 'GET') {
    const found = objects.get(path)
    if (!found) return sendError(response, 404, 'NoSuchKey', 'The specified key does not exist.')
    return send(response, 200, { etag: tagOf(found) }, found)
  }
  if (request.method === 'POST' && query.has('delete')) {
    const keys = [...body.toString().matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key)
    const errors = keys.map((key) => {
      const place = `${path.replace(/\/$/, '')}/${key}`
      if (standIn.undeletable.has(place))
        return `<Error><Key>${key}</Key><Code>AccessDenied</Code><Message>Access Denied</Message></Error>`
      objects.delete(place)
      return ''
    })
    return sendXml(response, `<DeleteResult>${errors.join('')}</DeleteResult>`)
  }
  sendError(response, 501, 'NotImplemented', name)
}

/** Lists open uploads, two per page, like the objects below. */
function openUploads(uploads: S3StandIn['uploads'], query: URLSearchParams): string {
  const keyed = [...uploads].map(([id, { path, initiated }]) => ({
    id,
    initiated,
    key: path.slice(path.indexOf('/') + 1),
  }))
  const rest = keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).filter(({ key }) => key > (query.get('key-marker') ?? ''))
  const page = rest.slice(0, 2)
  const items = page.map(
    ({ id, initiated, key }) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated.toISOString()}</Initiated></Upload>`,
  )
  const last = page.at(-1)
  const next =
    rest.length > page.length
      ? `<IsTruncated>true</IsTruncated><NextKeyMarker>${last?.key}</NextKeyMarker><NextUploadIdMarker>${last?.id}</NextUploadIdMarker>`
      : '<IsTruncated>false</IsTruncated>'
  return `<ListMultipartUploadsResult>${items.join('')}${next}</ListMultipartUploadsResult>`
}

/** Lists objects, two keys per page, to detect clients that ignore paging. */
function listOf(objects: Map<string, Buffer>, bucket: string, query: URLSearchParams): string {
  const prefix = `${bucket}/${query.get('prefix') ?? ''}`
  const after = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
  const page = keys.slice(0, 2)
  const items = page.map(
    (key) =>
      `<Contents><Key>${key.slice(bucket.length + 1)}</Key><Size>${objects.get(key)?.length}</Size><LastModified>${new Date().toISOString()}</LastModified></Contents>`,
  )
  const next =
    keys.length > page.length
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${page.at(-1)}</NextContinuationToken>`
      : '<IsTruncated>false</IsTruncated>'
  return `<ListBucketResult>${items.join('')}${next}</ListBucketResult>`
}

const tagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`

function send(response: ServerResponse, status: number, headers: Record<string, string> = {}, body?: Buffer): void {
  response.writeHead(status, headers).end(body)
}

function sendXml(response: ServerResponse, xml: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0" encoding="UTF-8"?>${xml}`)
}

const sendError = (response: ServerResponse, status: number, code: string, message: string): void =>
  sendXml(response, `<Error><Code>${code}</Code><Message>${message}</Message></Error>`, status)
