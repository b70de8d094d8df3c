import { expect, test } from 'vitest'
import { z } from 'zod'
import { testApp } from '../../../tests/kit/app.ts'
import { everything } from '../../../tests/kit/everything.ts'
import { resolveSchema } from '../../core/route.ts'
import { mergeTables } from '../../core/table.ts'
import { featureList } from '../index.ts'
import { after } from './index.ts'

const ida = { name: 'Ida', email: 'ida@example.com', password: 'correct horse battery' }

async function withIda() {
  const kit = await testApp({ admin: true, jwt: true, oneTimeToken: true, organization: true })
  const browser = kit.browser()
  const { body } = await browser.call('POST /sign-up/email', { body: ida })
  await kit.app.db.updateTable('user').set({ role: 'admin' }).execute()
  const events = (action: string) =>
    kit.app.db.selectFrom('auditEvent').selectAll().where('action', '=', action).orderBy('createdAt').execute()
  return { ...kit, operator: browser, id: body.user.id as string, events }
}

test('records who read which user, and who listed users, without what was searched for', async () => {
  const { operator, id, events } = await withIda()
  await operator.call('GET /admin/get-user', { query: { id } })
  await operator.call('POST /admin/list-user-sessions', { body: { userId: id } })
  await operator.call('GET /admin/list-users', { query: { searchValue: 'ida@example', searchField: 'email' } })
  expect(await events('user.read')).toMatchObject([{ actorId: id, targetId: id, details: { route: 'GET /admin/get-user' } }])
  expect(await events('user.sessions-read')).toMatchObject([{ actorId: id, targetId: id }])
  const [listed] = await events('users.listed')
  expect(listed).toMatchObject({ actorId: id, details: { rows: 1, filters: expect.arrayContaining(['searchValue']) } })
  expect(JSON.stringify(listed)).not.toContain('ida@')
})

test('records equal readings once a minute, and their number after it', async () => {
  const { app, operator, id, events, clock } = await withIda()
  const read = () => operator.call('GET /admin/get-user', { query: { id } })
  await Promise.all(Array.from({ length: 20 }, read))
  expect(await events('user.read')).toHaveLength(1)
  clock.advance(61)
  await read()
  expect((await events('user.read')).map(({ details }) => details.repeats ?? null).sort()).toEqual([19, null, null])
  await read()
  for (const { close } of app.features) await close?.(app)
  expect((await events('user.read')).map(({ details }) => details.repeats ?? null).sort()).toEqual([1, 19, null, null])
})

test('does not return what cannot be recorded', async () => {
  const { app, operator, id } = await withIda()
  await app.db.schema.alterTable('auditEvent').renameColumn('details', 'lost').execute()
  expect((await operator.call('GET /admin/get-user', { query: { id } })).status).toBe(500)
  for (const key of ['GET /token', 'GET /one-time-token/generate'] as const) {
    const { status, body } = await operator.call(key, {})
    expect([status, body.token]).toEqual([500, undefined])
  }
})

test('records tokens that are handed out, without the tokens', async () => {
  const { operator, id, events } = await withIda()
  const { body } = await operator.call('GET /token', {})
  const once = await operator.call('GET /one-time-token/generate', {})
  const [jwt, transfer] = [await events('jwt.issued'), await events('one-time-token.created')]
  expect([...jwt, ...transfer]).toMatchObject([
    { actorId: id, targetId: id },
    { actorId: id, targetId: id },
  ])
  expect(JSON.stringify([jwt, transfer])).not.toContain(body.token)
  expect(JSON.stringify([jwt, transfer])).not.toContain(once.body.token)
})

test('the first signing key is created by Latchkey, because of a request', async () => {
  const { operator, events } = await withIda()
  await operator.call('GET /token', {})
  const [{ requestId = '' } = {}] = await events('jwt.issued')
  expect(requestId).not.toBe('')
  expect(await events('signing-key.created')).toMatchObject([
    { actorKind: 'system', actorName: 'jwt.signingKeys', actorId: null, requestId },
  ])
})

test('the key that follows a retired one is created by Latchkey, because of the retirement', async () => {
  const { operator, events } = await withIda()
  const kid = (await operator.call('GET /jwks', {})).body.keys[0].kid
  expect((await operator.call('POST /admin/retire-signing-key', { body: { kid } })).status).toBe(200)
  const [{ requestId = '', actorKind = '' } = {}] = await events('signing-key.retired')
  expect([requestId, actorKind]).toEqual([expect.stringMatching(/./), 'user'])
  const created = await events('signing-key.created')
  expect(created.filter((event) => event.requestId === requestId)).toMatchObject([
    { actorKind: 'system', actorName: 'jwt.signingKeys', actorId: null },
  ])
})

/** Calls that need no event of reading, by what they record or why they disclose nothing. */
const others: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'POST /sign-up/email',
      'POST /sign-in/email',
      'POST /sign-in/social',
      'POST /sign-in/username',
      'POST /sign-in/phone-number',
      'POST /sign-in/anonymous',
      'POST /phone-number/verify',
      'POST /sign-in/email-otp',
      'POST /email-otp/verify-email',
      ...['verify-totp', 'verify-otp', 'verify-backup-code'].map((name) => `POST /two-factor/${name}`),
      ...['POST /passkey/verify-registration', 'POST /passkey/verify-authentication'],
    ].map((key) => [key, 'user.signed-in']),
  ),
  'GET /get-session': 'the token that the client has sent',
  'POST /update-session': 'the token that the client has sent',
  'GET /list-sessions': "the current user's own sessions, without tokens of others",
  'GET /multi-session/list-device-sessions': 'the tokens that the client has sent',
  'POST /multi-session/set-active': 'the token that the client has sent',
  'POST /change-password': 'password.changed',
  'POST /one-time-token/verify': 'session.transferred',
  'POST /admin/impersonate-user': 'user.impersonation-started',
  'POST /admin/stop-impersonating': 'user.impersonation-stopped',
  'GET /admin/export-user': 'user.exported',
  'POST /admin/rotate-signing-key': 'signing-key.created',
  'GET /admin/list-signing-keys': 'public keys only',
  'POST /api-key/create': 'api-key.created',
  'POST /api-key/verify': 'a key that the client has sent',
  'GET /admin/social-providers': 'no user, secrets are left out',
  'GET /admin/list-roles': 'no user',
  'GET /admin/list-invite-links': 'no user but their administrators; tokens are not stored',
  'GET /admin/overview': 'counts',
  'GET /admin/sign-in-policy': 'options and counts',
  'GET /admin/terms': 'counts',
  ...{ 'POST /terms/accept': 'user.signed-in', 'POST /terms/postpone': 'user.signed-in' },
  'GET /admin/pending-counts': 'counts',
  'GET /admin/count-events': 'counts',
  'GET /admin/audit-status': 'no user',
  'GET /admin/list-jobs': 'no user',
  'GET /admin/list-bulk-actions': 'counts, and their administrators',
  'GET /admin/get-bulk-action': 'counts, and its administrator',
  'GET /admin/configuration': 'secrets are redacted',
  'GET /admin/migrations': 'no user',
  'GET /admin/preview-frame': 'an empty page',
  'GET /admin/health': 'no user',
  'GET /admin/warnings': 'no user',
  'GET /admin/incident': 'what is frozen and counts, and their administrators',
  'POST /admin/incident/revoke': 'incident.revoked',
  'POST /admin/incident/freeze': 'incident.frozen',
  'POST /admin/incident/unfreeze': 'incident.unfrozen',
}

test('every call that returns data of others or a secret is recorded, or there is a reason', async () => {
  const { app } = await testApp({ ...everything, admin: true })
  const tables = mergeTables(app.features)
  const undocumented = app.features.flatMap(({ routes = {} }) =>
    Object.entries(routes).flatMap(([key, { declaration }]) => {
      const { access, returns } = declaration
      const schema = resolveSchema(returns, app.config, tables, app.features)
      const shape = schema ? JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'output' })) : ''
      const isOfOthers = access.kind === 'session' && access.permissions !== undefined && /^GET|list-/.test(key)
      const isSecret = /"(token|accessToken|refreshToken|idToken|key|secret|link)":\{/.test(shape)
      return (isOfOthers || isSecret) && !(key in after) && !(key in others) ? [key] : []
    }),
  )
  expect(undocumented).toEqual([])
  const known = Object.values(featureList).flatMap(({ routes = {} }) => Object.keys(routes))
  expect([...Object.keys(after), ...Object.keys(others)].filter((key) => !known.includes(key))).toEqual([])
  const actions = Object.values(featureList).flatMap(({ auditActions = {} }) => Object.keys(auditActions))
  const named = Object.values(others).filter((reason) => /^[\w-]+\.[\w-]+$/.test(reason))
  expect(named.filter((action) => !actions.includes(action))).toEqual([])
})
