/** What requests need to succeed: users with everything that a user can have, and what some calls need just before them. */
import { hotp, parseBase32, timeStep } from '../../src/lib/totp.ts'
import type { Reply } from './connection.ts'
import type { Placeholder } from './values.ts'

const password = 'correct horse battery staple'

export type Known = Readonly<Partial<Record<Placeholder, string>>>
export interface Account {
  readonly cookie: string
  readonly known: Known
}

/** Runs a statement on the database, to give users what no call gives them. @returns rows */
export type Query = (sql: string, values: readonly unknown[]) => Promise<readonly Readonly<Record<string, unknown>>[]>
/** Sends a request that must succeed, or redirect. @param body null for GET */
export type Post = (
  path: string,
  body: object | null,
  cookie?: string,
) => Promise<{ readonly reply: Reply; readonly body: Record<string, unknown> }>

interface Tools {
  readonly post: Post
  readonly query: Query
}

let numbers = 0

/** With a verified email address: others may invite few. */
export async function signUp({ post, query }: Tools, label: string, kind: 'user' | 'admin'): Promise<Account> {
  const email = `${label}@example.com`
  const username = label.replaceAll('-', '_')
  const { reply, body } = await post('/sign-up/email', { name: label, email, password, username })
  const userId = String(Object(body.user).id)
  // Some calls need a user with a verified number, which no user else has, nor had before they were deleted.
  numbers += 1
  const phoneNumber = `+4915${String(numbers).padStart(9, '0')}`
  await query(
    'UPDATE `user` SET emailVerified = 1, role = ?, phoneNumber = ?, phoneNumberVerified = 1, verifiedPhoneNumber = ? WHERE id = ?',
    [kind, phoneNumber, phoneNumber, userId],
  )
  await query(
    "INSERT INTO account (id, accountId, providerId, userId, createdAt, updatedAt) VALUES (?, ?, 'github', ?, utc_timestamp(3), utc_timestamp(3))",
    [userId, userId, userId],
  )
  const cookies = reply.headers.getSetCookie().map((header) => header.split(';', 1)[0])
  const cookie = cookies.join('; ')
  const { body: created } = await post('/organization/create', { name: label, slug: label }, cookie)
  const organizationId = String(created.id)
  const otherEmail = `invited-${label}@example.com`
  const { body: invitation } = await post(
    '/organization/invite-member',
    { email: otherEmail, role: 'member', organizationId },
    cookie,
  )
  const { body: team } = await post('/organization/create-team', { name: label, organizationId }, cookie)
  const { body: key } = await post('/api-key/create', { name: label.slice(0, 32) }, cookie)
  const memberId = String(Object((created.members as unknown[])[0]).id)
  return {
    cookie,
    known: {
      ...{ userId, organizationId, organizationSlug: label, memberId, email, username, password, otherEmail },
      ...{ invitationId: String(invitation.id), teamId: String(team.id), keyId: String(key.id), apiKey: String(key.key) },
      ...{ token: String(body.token), accountId: userId, phoneNumber },
    },
  }
}

/** The token in the newest email to a user. */
async function mailedToken({ post, query }: Tools, { known }: Account): Promise<string> {
  const [mail] = await query('SELECT text FROM caughtMail WHERE recipient = ? ORDER BY createdAt DESC LIMIT 1', [known.email])
  const [, link = ''] = /\/link\/(\w+)/.exec(String(mail?.text)) ?? []
  const { reply } = await post(`/link/${link}`, null)
  const [, token = 'unknown'] = /(?:token=|reset-password\/)([\w.-]+)/.exec(String(reply.headers.get('location'))) ?? []
  return token
}

/** @returns the id of the membership */
async function join(query: Query, user: Account, { known: { organizationId } }: Account): Promise<string> {
  const ids = [`${organizationId}`.slice(0, 16) + `${user.known.userId}`.slice(0, 16), organizationId, user.known.userId]
  await query(
    "INSERT IGNORE INTO member (id, organizationId, userId, role, createdAt) VALUES (?, ?, ?, 'member', utc_timestamp(3))",
    ids,
  )
  const [member] = await query('SELECT id FROM member WHERE organizationId = ? AND userId = ?', ids.slice(1))
  return String(member?.id)
}

async function invite({ post, query }: Tools, { known }: Account, by: Account): Promise<string> {
  const { organizationId } = by.known
  await query('UPDATE `user` SET emailVerified = 1 WHERE id IN (?, ?)', [known.userId, by.known.userId])
  await query('DELETE FROM member WHERE organizationId = ? AND userId = ?', [organizationId, known.userId])
  const invitation = { email: known.email, role: 'member', organizationId, resend: true }
  return String((await post('/organization/invite-member', invitation, by.cookie)).body.id)
}

type Preparation = (tools: Tools, account: Account, other: Account) => Promise<Known>

const reset: Preparation = async (tools, account) => {
  await tools.post('/request-password-reset', { email: account.known.email })
  return { token: await mailedToken(tools, account) }
}

const verification: Preparation = async (tools, account) => {
  const { post, query } = tools
  await query('UPDATE `user` SET emailVerified = 0 WHERE id = ?', [account.known.userId])
  await post('/send-verification-email', { email: account.known.email })
  const token = await mailedToken(tools, account)
  return { token }
}

const invitation: Preparation = async (tools, account, other) => ({ invitationId: await invite(tools, account, other) })
const membership: Preparation = async ({ query }, account, other) => ({ memberId: await join(query, other, account) })

/** An app that is being set up, and what belongs to it. */
async function setUpApp({ post, query }: Tools, { cookie, known }: Account): Promise<{ code: string; backupCodes: string[] }> {
  const { body } = await post('/two-factor/enable', { password: known.password }, cookie)
  const key = parseBase32(new URL(String(body.totpURI)).searchParams.get('secret') ?? '') ?? new Uint8Array()
  await query('UPDATE session SET factorProvenAt = ? WHERE userId = ?', [Date.now(), known.userId])
  const code = hotp(key, timeStep(Date.now(), 30), { digits: 6, algorithm: 'SHA1' })
  return { code, backupCodes: body.backupCodes as string[] }
}

const prepareApp: Preparation = async (tools, account) => {
  await setUpApp(tools, account)
  return {}
}

/** By call. */
const preparations: Readonly<Record<string, Preparation>> = {
  ...{ 'POST /reset-password': reset, 'POST /reset-password/check': reset, 'GET /reset-password/{token}': reset },
  ...{ 'GET /verify-email': verification, 'POST /verify-email': verification, 'POST /verification-link': verification },
  'POST /verify-email/with-password': verification,
  'POST /verify-email/with-new-password': verification,
  'POST /organization/accept-invitation': invitation,
  'POST /organization/reject-invitation': invitation,
  'GET /organization/get-invitation': async (...given) => {
    const { invitationId = '' } = await invitation(...given)
    return Object.fromEntries(['invitationId', 'userId', 'otherUserId', 'organizationId'].map((name) => [name, invitationId]))
  },
  'POST /organization/remove-member': membership,
  'POST /organization/update-member-role': membership,
  'POST /organization/leave': async ({ query }, account, other) => {
    await join(query, account, other)
    return { organizationId: other.known.organizationId ?? 'unknown' }
  },
  'POST /one-time-token/verify': async ({ post }, account) => ({
    token: String((await post('/one-time-token/generate', null, account.cookie)).body.token),
  }),
  'GET /admin/get-event': async ({ query }) => {
    const [event] = await query('SELECT id FROM auditEvent LIMIT 1', [])
    return { eventId: String(event?.id) }
  },
  'POST /two-factor/verify-totp': async (tools, account) => ({ code: (await setUpApp(tools, account)).code }),
  'POST /two-factor/get-totp-uri': prepareApp,
  'POST /two-factor/send-otp': prepareApp,
  'POST /two-factor/verify-otp': async (tools, account) => {
    await setUpApp(tools, account)
    await tools.post('/two-factor/send-otp', {}, account.cookie)
    const sql = 'SELECT code FROM caughtMail WHERE recipient = ? ORDER BY createdAt DESC LIMIT 1'
    const [text] = await tools.query(sql, [account.known.phoneNumber])
    return { code: String(text?.code) }
  },
  'POST /two-factor/verify-backup-code': async (tools, account) => {
    const { backupCodes } = await setUpApp(tools, account)
    await tools.query('UPDATE backupCode SET isPending = 0 WHERE userId = ?', [account.known.userId])
    return { code: String(backupCodes[0]) }
  },
  'POST /two-factor/generate-backup-codes': async (tools, account) => {
    await setUpApp(tools, account)
    await tools.query('UPDATE `user` SET twoFactorEnabled = 1 WHERE id = ?', [account.known.userId])
    return {}
  },
  'POST /admin/retire-signing-key': async ({ query }) => {
    const [key] = await query('SELECT id FROM jwks ORDER BY createdAt LIMIT 1', [])
    return { signingKeyId: String(key?.id) }
  },
}

/** Makes what a call needs just before it. A user who has lost what that takes sends the request without it. */
export async function prepare(tools: Tools, call: string | null, account: Account, other: Account): Promise<Known> {
  return (await preparations[call ?? '']?.(tools, account, other).catch(() => ({}))) ?? {}
}
