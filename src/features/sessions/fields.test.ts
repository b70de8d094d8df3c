import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { createClient } from '../../client.ts'
import { parseConfig } from '../../project/config/parse-config.ts'
import { type ConfigFile, featureList } from '../index.ts'
import { findSession } from './session.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
type Fields = NonNullable<NonNullable<ConfigFile['session']>['additionalFields']>
const optional = { required: false } as const

async function withFields(additionalFields: Fields, config: ConfigFile = {}) {
  const kit = await testApp({ openAPI: true, ...config, session: { ...config.session, additionalFields } })
  const visitor = kit.browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  const update = (body: Record<string, unknown>) => visitor.call('POST /update-session', { body })
  const session = async () => (await visitor.call('GET /get-session', {})).body.session
  return { ...kit, visitor, update, session }
}

const everyType: Fields = {
  theme: { type: 'string', ...optional },
  seats: { type: 'number', ...optional },
  bytes: { type: 'number', bigint: true, ...optional },
  isDark: { type: 'boolean', ...optional },
  seenAt: { type: 'date', ...optional },
  tags: { type: 'string[]', ...optional },
  scores: { type: 'number[]', ...optional },
  colour: { type: ['red', 'blue'], ...optional },
}
const values = {
  theme: 'dünkel',
  seats: -3,
  bytes: 2 ** 40,
  isDark: false,
  seenAt: '1990-05-17T00:00:00.000Z',
  tags: ['a', 'b"c'],
  scores: [1.5, 2],
  colour: 'blue',
}

describe('a field of a session', () => {
  test('is a typed column: null at first, written by update-session, shown by get-session and in lists', async () => {
    const { visitor, update, session } = await withFields(everyType)
    const before = await session()
    for (const name of Object.keys(values)) expect(before[name]).toBeNull()
    const answer = await update(values)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ session: { ...before, ...values, updatedAt: answer.body.session.updatedAt } })
    expect(await session()).toEqual(answer.body.session)
    await update({ seats: 8 })
    expect(await session()).toMatchObject({ ...values, seats: 8 })
    expect((await visitor.call('GET /list-sessions', {})).body).toMatchObject([{ ...values, seats: 8 }])
    await update({ theme: null })
    expect(await session()).toMatchObject({ ...values, seats: 8, theme: null })
  })

  test.each([
    ['theme', 7],
    ['seats', '7'],
    ['isDark', 1],
    ['seenAt', 'yesterday'],
    ['tags', 'a'],
    ['colour', 'green'],
  ])('%s rejects %j, and nothing is written', async (name, value) => {
    const { update, session } = await withFields(everyType)
    await update(values)
    const rejected = await update({ seats: 99, [name]: value })
    expect([rejected.status, rejected.body]).toEqual([
      400,
      { code: 'VALIDATION_ERROR', message: 'Invalid body parameters', details: { parameters: [expect.any(String)] } },
    ])
    expect(await session()).toMatchObject(values)
  })

  test('that is required cannot be set to null, and is required nowhere else', async () => {
    const { update, session } = await withFields({ theme: { type: 'string' } })
    expect((await session()).theme).toBeNull()
    expect((await update({ theme: null })).body).toEqual({ code: 'THEME_IS_REQUIRED', message: 'theme is required' })
    expect((await update({})).status).toBe(200)
  })

  test('has a default, and can be set by the hook before the session is created', async () => {
    let count = 0
    const { browser, session } = await withFields(
      {
        theme: { type: 'string', defaultValue: 'light' },
        number: { type: 'number', defaultValue: () => ++count },
        tags: { type: 'string[]', defaultValue: ['new'] },
        tenant: { type: 'string', input: false, required: false },
      },
      { databaseHooks: { session: { create: { before: () => ({ data: { tenant: 'acme', tags: ['hooked'] } }) } } } },
    )
    expect(await session()).toMatchObject({ theme: 'light', number: 1, tags: ['hooked'], tenant: 'acme' })
    const other = browser()
    await other.call('POST /sign-in/email', { body: ann })
    expect((await other.call('GET /get-session', {})).body.session).toMatchObject({ number: 2, tenant: 'acme' })
  })

  test('that is not returned is neither in responses nor in the cookie', async () => {
    const fields: Fields = { note: { type: 'string', returned: false, ...optional } }
    const { app, visitor, update, session } = await withFields(fields, { session: { cookieCache: { enabled: true } } })
    const answer = await update({ note: 'a private note' })
    const token = answer.body.session.token
    expect((await findSession(app, token))?.session).toMatchObject({ note: 'a private note' })
    expect(answer.body.session).not.toHaveProperty('note')
    expect(await session()).not.toHaveProperty('note')
    expect((await visitor.call('GET /list-sessions', {})).body[0]).not.toHaveProperty('note')
    const cookie = visitor.cookies.get('latchkey.session_data') ?? ''
    expect(Buffer.from(cookie, 'base64url').toString()).toContain(ann.email)
    expect(Buffer.from(cookie, 'base64url').toString()).not.toContain('note')
    const { body } = await visitor.call('GET /open-api/generate-schema', {})
    expect(JSON.stringify(body.components.schemas.Session)).not.toContain('note')
  })

  test('is checked and changed by its validator, or else by its transformation, and may have another name in the table', async () => {
    const { app, update, session } = await withFields({
      plan: { type: 'string', validator: { input: z.enum(['free', 'pro']) }, ...optional },
      slug: { type: 'string', fieldName: 'slug_text', transform: { input: (text: string) => text.toLowerCase() }, ...optional },
      shout: { type: 'string', transform: { output: (text: string) => `${text}!` }, ...optional },
    })
    expect((await update({ plan: 'gold' })).status).toBe(400)
    const { body } = await update({ plan: 'pro', slug: 'ANN', shout: 'hey', slug_text: 'x' })
    expect(await session()).toMatchObject({ plan: 'pro', slug: 'ann', shout: 'hey!' })
    expect((await findSession(app, body.session.token))?.session).toMatchObject({ slug_text: 'ann' })
    expect(await session()).not.toHaveProperty('slug_text')
  })

  test('that is unique is rejected when its value exists', async () => {
    const { app, browser, update } = await withFields({ seat: { type: 'string', unique: true, ...optional } })
    const others = Array.from({ length: 16 }, () => browser())
    await Promise.all(others.map((other) => other.call('POST /sign-in/email', { body: ann })))
    const answers = await Promise.all(others.map((other) => other.call('POST /update-session', { body: { seat: 'A1' } })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await update({ seat: 'A1' })).body).toEqual({
      code: 'FAILED_TO_UPDATE_SESSION',
      message: 'Failed to update session',
    })
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(15)
    expect(
      await app.db
        .selectFrom('session')
        .selectAll()
        .where('seat' as 'id', '=', 'A1')
        .execute(),
    ).toHaveLength(1)
  })

  test('that is unique with an existing default creates no session, and causes no 500', async () => {
    const { browser } = await withFields({ seat: { type: 'string', unique: true, defaultValue: 'A1' } })
    const answer = await browser().call('POST /sign-in/email', { body: ann })
    expect([answer.status, answer.body.code, answer.setCookie]).toEqual([401, 'FAILED_TO_CREATE_SESSION', []])
  })

  test('is in the OpenAPI document: in responses and in request bodies', async () => {
    const { visitor } = await withFields({ ...everyType, fixed: { type: 'string', input: false } })
    const { body } = await visitor.call('GET /open-api/generate-schema', {})
    const { properties, required = [] } = body.paths['/update-session'].post.requestBody.content['application/json'].schema
    expect(properties).toEqual({
      theme: { type: 'string' },
      seats: { type: 'integer' },
      bytes: { type: 'integer' },
      isDark: { type: 'boolean' },
      seenAt: { type: 'string', format: 'date-time' },
      tags: { type: 'array', items: { type: 'string' } },
      scores: { type: 'array', items: { type: 'number' } },
      colour: { type: 'string', enum: ['red', 'blue'] },
    })
    expect(required).toEqual([])
    expect(body.components.schemas.Session.properties).toMatchObject({ theme: {}, tags: {}, fixed: {} })
  })
})

describe('POST /update-session', () => {
  test('writes nothing when no field is for input, and returns the session as it is', async () => {
    const { visitor, update, session } = await withFields({ tier: { type: 'string', input: false, defaultValue: 'basic' } })
    const before = await session()
    const answer = await update({ tier: 'gold', userId: 'x', expiresAt: '2099-01-01T00:00:00Z', token: 'x', unknown: 1 })
    expect([answer.status, answer.body, answer.setCookie]).toEqual([200, { session: before }, []])
    expect(await session()).toEqual(before)
    const none = await visitor.request('/update-session', { method: 'POST' })
    expect([none.status, none.body.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('does so without any field in the configuration too', async () => {
    const { update, session } = await withFields({})
    expect((await update({ theme: 'dark' })).body).toEqual({ session: await session() })
  })

  test('requires a session', async () => {
    const { browser } = await withFields(everyType)
    expect((await browser().call('POST /update-session', { body: {} })).status).toBe(401)
  })

  test('writes the current session only', async () => {
    const { browser, update, session } = await withFields(everyType)
    const other = browser()
    await other.call('POST /sign-in/email', { body: ann })
    await update({ theme: 'dark' })
    expect((await session()).theme).toBe('dark')
    expect((await other.call('GET /get-session', {})).body.session.theme).toBeNull()
  })

  test('does not restore a session that was revoked in between', async () => {
    const end: { now: () => Promise<unknown> } = { now: async () => undefined }
    const { app, update } = await withFields(everyType, {
      databaseHooks: { session: { update: { before: () => end.now().then(() => undefined) } } },
    })
    end.now = () => app.db.deleteFrom('session').execute()
    expect((await update({ theme: 'dark' })).status).toBe(401)
    expect(await app.db.selectFrom('session').selectAll().execute()).toEqual([])
  })

  test('calls the hooks: before may reject or change the update, after gets the row', async () => {
    const seen: unknown[] = []
    const answers: Record<string, false | undefined | { data: object }> = {
      rejected: false,
      changed: { data: { theme: 'by the hook', tags: ['x'] } },
    }
    const { update, session } = await withFields(everyType, {
      databaseHooks: {
        session: {
          update: { before: ({ theme }) => answers[String(theme)] as never, after: ({ theme }) => void seen.push(theme) },
        },
      },
    })
    const rejected = await update({ theme: 'rejected' })
    expect([rejected.status, rejected.body.code]).toEqual([400, 'FAILED_TO_UPDATE_SESSION'])
    await update({ theme: 'changed' })
    expect(await session()).toMatchObject({ theme: 'by the hook', tags: ['x'] })
    await update({ theme: 'plain' })
    expect(seen).toEqual(['by the hook', 'plain'])
  })

  test('sends a new signed copy, and no daemon uses the former one', async () => {
    const { visitor, another, update, app } = await withFields(everyType, { session: { cookieCache: { enabled: true } } })
    const former = new Map(visitor.cookies)
    const answer = await update({ theme: 'dark' })
    expect(answer.setCookie.map((cookie) => cookie.split('=')[0])).toContain('latchkey.session_data')
    const read = async (reader: Browser, cookies: ReadonlyMap<string, string>) => {
      for (const [name, value] of cookies) reader.cookies.set(name, value)
      return (await reader.call('GET /get-session', {})).body.session.theme
    }
    expect(await read(visitor, visitor.cookies)).toBe('dark')
    if (!app.config.redis.enabled) return
    expect(await read((await another()).browser(), former)).toBe('dark')
  })

  test('returns the token or the id as other responses do', async () => {
    const { update, session } = await withFields(everyType, { session: { exposeToken: false } })
    const { body } = await update({ theme: 'dark' })
    expect(body.session.token).toBe(body.session.id)
    expect(await session()).toEqual(body.session)
  })

  test('is available to the typed client', async () => {
    const { app, browser } = await withFields(everyType)
    const visitor = browser()
    const send = async (url: unknown, init?: RequestInit) => {
      const path = new URL(String(url)).pathname.slice('/api/auth'.length)
      const headers = Object.fromEntries(new Headers(init?.headers))
      const answer = await visitor.request(path, { method: String(init?.method), headers, body: String(init?.body) })
      return new Response(JSON.stringify(answer.body), { status: answer.status, headers: answer.headers })
    }
    const call = createClient({ baseURL: `${app.config.baseURL}/api/auth`, fetch: send as typeof fetch })
    await call('POST /sign-in/email', { body: ann })
    const { session } = await call('POST /update-session', { body: { theme: 'dark' } })
    expect(session.id).toHaveLength(32)
    expect(session).toMatchObject({ theme: 'dark' })
  })
})

describe('the configuration rejects', () => {
  const issuesOf = (additionalFields: object) => {
    const parsed = parseConfig(featureList, {
      secret: '0123456789 abcdefghijklmnopqrstuvwxyz',
      baseURL: 'https://accounts.example.com',
      database: { url: 'sqlite::memory:' },
      session: { additionalFields },
    })
    return 'issues' in parsed ? parsed.issues.map(({ id, path }) => [id, path]) : []
  }

  test.each(['token', 'userId', 'tokenHash', 'authenticatedat'])('a field called %s', (name) => {
    expect(issuesOf({ [name]: { type: 'string' } })).toEqual([['field-name', `session.additionalFields.${name}`]])
  })
  test('a field that cannot be unique, and an invalid name', () => {
    expect(issuesOf({ a: { type: 'boolean', unique: true } })).toEqual([['field-unique', 'session.additionalFields.a']])
    expect(issuesOf({ 'a-b': { type: 'string' } })).toEqual([['field-form', 'session.additionalFields.a-b']])
  })
  test('and nothing else', () => expect(issuesOf(everyType)).toEqual([]))
})
