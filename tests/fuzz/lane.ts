/** A lane sends one request after the other, with users of its own: what one lane deletes, no other needs. */
import type { Reply } from './connection.ts'
import { openConnection } from './connection.ts'
import type { FuzzRequest } from './requests.ts'
import { type Placeholder, placeholder, placeholders } from './values.ts'

/** Long, because the machines are busy. */
const deadlineMs = 20_000
const password = 'correct horse battery staple'

export interface Lane {
  send(request: FuzzRequest): Promise<Reply | null>
  close(): void
}

interface Account {
  readonly cookie: string
  readonly known: Readonly<Partial<Record<Placeholder, string>>>
}

/** @param makeAdmin gives the user of this id the role `admin` */
export function createLane(name: string, port: number, makeAdmin: (userId: string) => Promise<void>): Lane {
  const connection = openConnection(port)
  const origin = `http://localhost:${port}`
  const accounts: Partial<Record<'user' | 'admin', Account>> = {}
  let count = 0

  const post = async (path: string, body: object, cookie?: string): Promise<{ reply: Reply; body: Record<string, unknown> }> => {
    const text = JSON.stringify(body)
    const lines = [
      `POST /api/auth${path} HTTP/1.1`,
      `host: localhost:${port}`,
      `origin: ${origin}`,
      'content-type: application/json',
    ]
    const head = [...lines, ...(cookie ? [`cookie: ${cookie}`] : []), `content-length: ${Buffer.byteLength(text)}`, '', ''].join(
      '\r\n',
    )
    const reply = await connection.exchange(Buffer.from(head + text), deadlineMs)
    if (reply?.status !== 200) throw new Error(`${path} cannot prepare the lane: ${reply?.status} ${reply?.body}`)
    return { reply, body: JSON.parse(reply.body) }
  }

  async function createAccount(kind: 'user' | 'admin'): Promise<Account> {
    count += 1
    const label = `${name}-${kind}-${count}`
    const email = `${label}@example.com`
    const username = label.replaceAll('-', '_')
    const { reply, body } = await post('/sign-up/email', { name: label, email, password, username })
    const userId = String(Object(body.user).id)
    if (kind === 'admin') await makeAdmin(userId)
    const cookie = reply.headers
      .getSetCookie()
      .map((header) => header.split(';', 1)[0])
      .join('; ')
    const { body: created } = await post('/organization/create', { name: label, slug: label }, cookie)
    const organizationId = String(created.id)
    const invite = { email: `invited-${label}@example.com`, role: 'member', organizationId }
    const { body: invitation } = await post('/organization/invite-member', invite, cookie)
    const { body: team } = await post('/organization/create-team', { name: label, organizationId }, cookie)
    const { body: key } = await post('/api-key/create', { name: label.slice(0, 32) }, cookie)
    const memberId = String(Object((created.members as unknown[])[0]).id)
    const ids = {
      userId,
      organizationId,
      organizationSlug: label,
      memberId,
      invitationId: String(invitation.id),
      teamId: String(team.id),
      keyId: String(key.id),
    }
    return {
      cookie,
      known: {
        ...ids,
        ...{ email, username, password, otherEmail: invite.email },
        ...{ sessionId: String(body.token), accountId: userId, apiKey: String(key.key) },
      },
    }
  }

  const send: Lane['send'] = async (request) => {
    const kind = request.client === 'admin' ? 'admin' : 'user'
    const account = accounts[kind] ?? (await createAccount(kind))
    accounts[kind] = account
    const known = { ...account.known, otherUserId: accounts[kind === 'admin' ? 'user' : 'admin']?.known.userId ?? 'unknown' }
    const reply = await connection.exchange(write(request, { port, origin, account, known }), deadlineMs)
    const isGone = reply?.status === 401 || reply?.headers.getSetCookie().some((header) => /session_token=/.test(header))
    // Signed out, banned or deleted: a later request needs a session again.
    if (isGone) delete accounts[kind]
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
    bearer: { authorization: `Bearer ${known.sessionId}` },
    key: { 'x-api-key': known.apiKey ?? '' },
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
