/** What other features can do with sessions: add columns, set them, authenticate by another credential, see who acts. */
import type { Insertable } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { testApp } from '../../../tests/kit/app.ts'
import type { App } from '../../core/app.ts'
import { ApiError, defineErrors, tooManyRequests } from '../../core/errors.ts'
import type { Feature } from '../../core/feature.ts'
import { session } from '../../core/permissions.ts'
import type { SessionView } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { type Columns, nullable, type Rows, string } from '../../core/table.ts'
import { featureList } from '../index.ts'
import type { tables } from './config.ts'
import type { SessionDraft } from './session-creation.ts'
import { newSession, writeSession } from './session-creation.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const credentials = { email: ann.email, password: ann.password }

const added = { activeOrganizationId: nullable(string()) } satisfies Columns
type ExtendedTables = { readonly session: typeof tables.session & typeof added }
/** Compiles only while a session can be created without the nullable column of another feature. */
const acceptDraft = (draft: SessionDraft): Insertable<Rows<ExtendedTables>['session']> => draft

const plant = (planted: Record<string, Feature>) => ({ features: { ...featureList, ...planted } })

describe('a feature with a column in the session table', () => {
  const organization = (id: string | null, name = 'activeOrganizationId'): Feature => ({
    tables: { session: { [name]: nullable(string()) }, user: { [`${name}OfUser`]: nullable(string()) } },
    on: { 'session.creating': () => (id === null ? undefined : ({ [name]: id } as Partial<SessionDraft>)) },
  })

  test('leaves sessions of other features as they are', async () => {
    const { browser } = await testApp({}, plant({ organization: organization(null) }))
    const visitor = browser()
    expect((await visitor.call('POST /sign-up/email', { body: ann })).status).toBe(200)
    const { body } = await visitor.call('GET /get-session', {})
    expect([body.session.activeOrganizationId, body.user.activeOrganizationIdOfUser]).toEqual([null, null])
    expect(acceptDraft).toBeTypeOf('function')
  })

  test('sets its column when a session is created, also in the signed copy', async () => {
    const caching = { session: { cookieCache: { enabled: true } } }
    const { app, browser } = await testApp(caching, plant({ organization: organization('org-1') }))
    const visitor = browser()
    await visitor.call('POST /sign-up/email', { body: ann })
    expect(
      await app.db
        .selectFrom('session')
        .select('activeOrganizationId' as never)
        .execute(),
    ).toEqual([{ activeOrganizationId: 'org-1' }])
    const copy = JSON.parse(Buffer.from(visitor.cookies.get('latchkey.session_data') ?? '', 'base64url').toString())
    expect(copy.session.session.activeOrganizationId).toBe('org-1')
    if (inject('servers') !== null)
      await app.db
        .updateTable('session')
        .set({ activeOrganizationId: 'org-2' } as never)
        .execute()
    expect((await visitor.call('GET /get-session', {})).body.session.activeOrganizationId).toBe('org-1')
  })

  test('has its listener called after those of the features before it, with the rows of one transaction', async () => {
    const calls: string[] = []
    const listener = (name: string): Feature => ({
      on: {
        'session.creating': async (app, { session }) => {
          const rows = await app.db.selectFrom('session').select('id').where('id', '=', session.id).execute()
          calls.push(`${name} ${app.db.isTransaction} ${rows.length}`)
        },
        'session.created': async (app, { session }) => {
          const rows = await app.db.selectFrom('session').select('id').where('id', '=', session.id).execute()
          calls.push(`${name} ${app.db.isTransaction} ${rows.length}`)
        },
      },
    })
    const { browser } = await testApp({}, plant({ first: listener('first'), second: listener('second') }))
    await browser().call('POST /sign-up/email', { body: ann })
    expect(calls).toEqual(['first true 0', 'second true 0', 'first true 1', 'second true 1'])
  })

  test('prevents the session when its listener throws', async () => {
    const failing: Feature = { on: { 'session.creating': () => Promise.reject(new Error('no organization')) } }
    const { app, browser } = await testApp({}, plant({ failing }))
    const response = await browser().call('POST /sign-up/email', { body: ann })
    expect([response.status, response.setCookie]).toEqual([500, []])
    expect(await app.db.selectFrom('session').select('id').execute()).toEqual([])
  })

  test('creates a session without a request, with a lifetime and columns of its own', async () => {
    const { app, browser, clock } = await testApp({}, plant({ organization: organization(null) }))
    await browser().call('POST /sign-up/email', { body: ann })
    const user = await app.db.selectFrom('user').selectAll().executeTakeFirstOrThrow()
    const columns = { activeOrganizationId: 'org-3' } as Partial<SessionDraft>
    const options = { ipAddress: '192.0.2.1', userAgent: 'test', expiresIn: 3600, columns }
    const created = await writeSession(app, newSession(app, user.id, options), user)
    expect(created.session).toMatchObject({ ipAddress: '192.0.2.1', userAgent: 'test', activeOrganizationId: 'org-3' })
    expect(created.session.expiresAt.getTime()).toBe(clock.now().getTime() + 3_600_000)
  })
})

const keyErrors = defineErrors({ KEY_DISABLED: [401, 'API Key is disabled'] })

/** Keys `key-<name>`: `key-limited` has no use left, `key-disabled` fails with its own error. */
function apiKeys() {
  let uses = 0
  const seen: App['actor'][] = []
  const feature: Feature = {
    authenticate: (ctx) => {
      const key = ctx.request.header('x-api-key')
      if (!key) return null
      return {
        kind: 'api-key',
        sessionToken: null,
        verify: async () => {
          uses += 1
          if (key === 'key-disabled') throw new ApiError(keyErrors.KEY_DISABLED)
          if (key === 'key-limited') throw tooManyRequests(7)
          const user = await ctx.db.selectFrom('user').selectAll().executeTakeFirst()
          if (!user || key !== 'key-ann') return null
          const at = ctx.now()
          const view = { id: key, token: key, userId: user.id, createdAt: at, updatedAt: at, authenticatedAt: null }
          const session = { ...view, expiresAt: new Date(at.getTime() + 60_000), ipAddress: null, userAgent: null } as SessionView
          return { session, user, hold: async () => true, credential: { kind: 'api-key', id: key } }
        },
      }
    },
    routes: {
      'GET /actor': route({
        summary: 'Return the actor',
        access: session(),
        returns: z.object({ userId: z.string() }),
        handler: async (ctx) => {
          await ctx.identify()
          seen.push(ctx.actor)
          return { userId: ctx.user.id }
        },
      }),
    },
  }
  return { feature, seen, uses: () => uses }
}

describe('an API key', () => {
  const attempts = { enabled: true, perNetwork: { failures: 1 } }

  async function withKeys() {
    const keys = apiKeys()
    // Any call may fail with an error of the credential, which no route of another feature declares.
    const kit = await testApp({ attempts }, { ...plant({ apiKeys: keys.feature }), allowsUndeclaredErrors: true })
    await kit.browser().call('POST /sign-up/email', { body: ann })
    const get = (path: string, key: string) => kit.browser().request(path, { headers: { 'x-api-key': key } })
    return { ...kit, keys, get }
  }

  test('is the credential of the actor, and is used once per call', async () => {
    const { keys, get } = await withKeys()
    expect((await get('/actor', 'key-ann')).status).toBe(200)
    expect(keys.seen).toEqual([expect.objectContaining({ kind: 'user', credential: { kind: 'api-key', id: 'key-ann' } })])
    expect(keys.uses()).toBe(1)
  })

  test('makes get-session return its session view, with one use', async () => {
    const { keys, get } = await withKeys()
    const response = await get('/get-session', 'key-ann')
    expect(response.body).toMatchObject({ session: { id: 'key-ann', token: 'key-ann' }, user: { email: ann.email } })
    expect(response.setCookie).toEqual([])
    expect(keys.uses()).toBe(1)
  })

  test('is used once by a call that is also guarded against guessing', async () => {
    const { browser, keys } = await withKeys()
    const signIn = (password: string) =>
      browser().call('POST /sign-in/email', { body: { email: ann.email, password } }, { 'x-api-key': 'key-ann' })
    expect((await signIn('a wrong password')).status).toBe(401)
    // Within the delay the device is identified as well, which is this credential.
    const before = keys.uses()
    expect((await signIn(ann.password)).status).toBe(200)
    expect(keys.uses()).toBe(before + 1)
  })

  test('fails with the error of its feature, and with 429 when it is rate limited', async () => {
    const { get } = await withKeys()
    for (const path of ['/actor', '/get-session']) {
      const disabled = await get(path, 'key-disabled')
      expect([disabled.status, disabled.body]).toEqual([401, { code: 'KEY_DISABLED', message: 'API Key is disabled' }])
      const limited = await get(path, 'key-limited')
      expect([limited.status, limited.headers.get('x-retry-after')]).toEqual([429, '7'])
    }
    expect((await get('/actor', 'key-unknown')).status).toBe(401)
    expect((await get('/get-session', 'key-unknown')).body).toBeNull()
  })
})

describe('the actor of a call', () => {
  test('is the user with the session after sign-in, and anonymous before', async () => {
    const seen: App['actor'][] = []
    const watching: Feature = {
      before: { 'POST /sign-in/email': (ctx) => void seen.push(ctx.actor) },
      after: { 'GET /list-sessions': (ctx) => void seen.push(ctx.actor) },
    }
    const { app, browser } = await testApp({}, plant({ watching }))
    await browser().call('POST /sign-up/email', { body: ann })
    const visitor = browser()
    await visitor.call('POST /sign-in/email', { body: credentials })
    const { session, user } = (await visitor.call('GET /get-session', {})).body
    const listed = await visitor.call('GET /list-sessions', {})
    const addresses = { ipAddress: expect.any(String), networkAddress: expect.any(String) }
    expect(seen).toEqual([
      { kind: 'anonymous', ...addresses, requestId: expect.any(String) },
      {
        kind: 'user',
        userId: user.id,
        credential: { kind: 'cookie', id: session.id },
        ...addresses,
        requestId: listed.headers.get('x-request-id'),
      },
    ])
    expect(app.actor).toEqual({ kind: 'system' })
  })
})
