/** A client of HTTP/1.1 that sends any bytes: those of the standard library reject what a hostile client sends. */
import { createConnection, type Socket } from 'node:net'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

export interface Connection {
  /**
   * @param deadlineMs until the whole response is received
   * @returns null when the server closed the connection without a response
   * @throws Error when there is no response in time
   */
  exchange(request: Buffer, deadlineMs: number): Promise<Reply | null>
  close(): void
}

interface Waiting {
  readonly resolve: (reply: Reply | null) => void
  readonly reject: (error: Error) => void
}

/** One request at a time; connects again after the server has closed the connection. */
export function openConnection(port: number): Connection {
  let socket: Socket | undefined
  let received = Buffer.alloc(0)
  let waiting: Waiting | undefined
  const settle = (reply: Reply | null) => {
    const current = waiting
    waiting = undefined
    received = Buffer.alloc(0)
    current?.resolve(reply)
  }
  const connect = () => {
    const made = createConnection({ port, host: '127.0.0.1', noDelay: true })
    made.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      const reply = parseReply(received)
      if (!reply) return
      if (reply.headers.get('connection') === 'close') made.destroy()
      settle(reply)
    })
    made.on('error', () => made.destroy())
    made.on('close', () => {
      if (socket !== made) return
      socket = undefined
      settle(null)
    })
    return made
  }
  return {
    exchange: (request, deadlineMs) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting = undefined
          socket?.destroy()
          reject(new Error(`no response in ${deadlineMs} ms`))
        }, deadlineMs)
        waiting = {
          reject,
          resolve: (reply) => {
            clearTimeout(timer)
            resolve(reply)
          },
        }
        if (socket?.destroyed) socket = undefined
        socket ??= connect()
        socket.write(request)
      }),
    close: () => socket?.destroy(),
  }
}

const headEnd = Buffer.from('\r\n\r\n')

/** @returns null while the response is incomplete */
function parseReply(bytes: Buffer): Reply | null {
  const end = bytes.indexOf(headEnd)
  if (end === -1) return null
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = new Headers()
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const status = Number(statusLine.split(' ')[1])
  const rest = bytes.subarray(end + headEnd.length)
  const body = headers.get('transfer-encoding') === 'chunked' ? parseChunks(rest) : parseSized(rest, status, headers)
  return body && { status, headers, body: body.toString() }
}

function parseSized(bytes: Buffer, status: number, headers: Headers): Buffer | null {
  const length = status === 204 || status === 304 ? 0 : Number(headers.get('content-length') ?? 0)
  return bytes.length < length ? null : bytes.subarray(0, length)
}

function parseChunks(bytes: Buffer): Buffer | null {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return null
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString(), 16)
    const start = lineEnd + 2
    if (bytes.length < start + size + 2) return null
    if (size === 0) return Buffer.concat(parts)
    parts.push(bytes.subarray(start, start + size))
    at = start + size + 2
  }
}
