/** A lane sends one request after the other, with users of its own: what one lane deletes, no other needs. */
import type { Reply } from './connection.ts'
import { openConnection } from './connection.ts'
import { type Account, type Post, prepare, type Query, signUp } from './fixtures.ts'
import type { FuzzRequest } from './requests.ts'
import { type Placeholder, placeholder, placeholders } from './values.ts'

/** Long, because the machines are busy. */
const deadlineMs = 20_000

export interface Lane {
  send(request: FuzzRequest): Promise<Reply | null>
  close(): void
}

export function createLane(name: string, port: number, query: Query): Lane {
  const connection = openConnection(port)
  const origin = `http://localhost:${port}`
  const accounts: Partial<Record<'user' | 'admin', Account>> = {}
  let count = 0

  const post: Post = async (path, body, cookie) => {
    const text = body === null ? '' : JSON.stringify(body)
    const lines = [
      `${body === null ? 'GET' : 'POST'} /api/auth${path} HTTP/1.1`,
      `host: localhost:${port}`,
      `origin: ${origin}`,
      ...(body === null ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
      ...(cookie ? [`cookie: ${cookie}`] : []),
    ]
    const reply = await connection.exchange(Buffer.from([...lines, '', text].join('\r\n')), deadlineMs)
    if (reply?.status !== 200 && reply?.status !== 302)
      throw new Error(`${path} cannot prepare the lane: ${reply?.status} ${reply?.body}`)
    return { reply, body: reply.status === 200 ? JSON.parse(reply.body) : {} }
  }

  async function createAccount(kind: 'user' | 'admin'): Promise<Account> {
    count += 1
    return signUp({ post, query }, `${name}-${kind}-${count}`, kind)
  }

  const send: Lane['send'] = async (request) => {
    const kind = request.client === 'admin' ? 'admin' : 'user'
    const otherKind = kind === 'admin' ? 'user' : 'admin'
    const account = accounts[kind] ?? (await createAccount(kind))
    const other = accounts[otherKind] ?? (await createAccount(otherKind))
    Object.assign(accounts, { [kind]: account, [otherKind]: other })
    const prepared = await prepare({ post, query }, request.call, account, other)
    const known = { ...account.known, otherUserId: other.known.userId ?? 'unknown', ...prepared }
    const reply = await connection.exchange(write(request, { port, origin, account, known }), deadlineMs)
    const isGone = reply?.status === 401 || reply?.headers.getSetCookie().some((header) => /session_token=/.test(header))
    // Signed out, banned or deleted: a later request needs a session again.
    if (isGone) delete accounts[kind]
    // It may have been done to the other user.
    if (request.client === 'admin' && reply?.status === 200 && /admin\/(ban|remove|erase|revoke|set|update)/.test(request.target))
      delete accounts.user
    return reply
  }
  return { send, close: connection.close }
}

interface World {
  readonly port: number
  readonly origin: string
  readonly account: Account
  readonly known: Readonly<Partial<Record<Placeholder, string>>>
}

function write(request: FuzzRequest, { port, origin, account, known }: World): Buffer {
  const fill = (text: string, encode: (value: string) => string) =>
    placeholders.reduce(
      (filled, name) => filled.replaceAll(encode(placeholder(name)), () => encode(known[name] ?? 'unknown')),
      text,
    )
  const target = fill(fill(request.target, encodeURIComponent), (value) => value)
  const body = request.body === null ? null : fill(fill(request.body, encodeURIComponent), (value) => value)
  const bytes = Buffer.from(body ?? '', request.isBinary ? 'latin1' : 'utf8')
  const credentials: Readonly<Record<FuzzRequest['client'], Readonly<Record<string, string>>>> = {
    anonymous: {},
    forged: { cookie: 'latchkey.session_token=forged.AAAAAAAA' },
    user: { cookie: account.cookie },
    admin: { cookie: account.cookie },
    bearer: { authorization: `Bearer ${account.known.token}` },
    key: { 'x-api-key': account.known.apiKey ?? '' },
  }
  const headers = { host: `localhost:${port}`, origin, ...credentials[request.client], ...request.headers }
  const length = request.method === 'POST' ? { 'content-length': String(bytes.length) } : {}
  const lines = Object.entries({ ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([
    Buffer.from(`${request.method} /api/auth`),
    Buffer.from(target),
    Buffer.from(` HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'),
    request.method === 'POST' ? bytes : Buffer.alloc(0),
  ])
}
