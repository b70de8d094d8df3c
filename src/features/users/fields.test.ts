import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { testApp } from '../../../tests/kit/app.ts'
import { parseConfig } from '../../project/config/parse-config.ts'
import { type ConfigFile, featureList } from '../index.ts'
import { findUserByEmail } from './index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
type Fields = NonNullable<NonNullable<ConfigFile['user']>['additionalFields']>
const optional = { required: false } as const

async function withFields(additionalFields: Fields, config: ConfigFile = {}) {
  const kit = await testApp({ openAPI: true, ...config, user: { ...config.user, additionalFields } })
  const visitor = kit.browser()
  const signUp = (more: object = {}) => visitor.call('POST /sign-up/email', { body: { ...ann, ...more } })
  const update = async (body: object) => visitor.call('POST /update-user', { body })
  const user = async () => (await visitor.call('GET /get-session', {})).body.user
  return { ...kit, visitor, signUp, update, user }
}

const everyType: Fields = {
  plan: { type: 'string' },
  seats: { type: 'number' },
  bytes: { type: 'number', bigint: true },
  subscribed: { type: 'boolean' },
  born: { type: 'date' },
  tags: { type: 'string[]' },
  scores: { type: 'number[]' },
  colour: { type: ['red', 'blue'] },
}
const values = {
  plan: 'päid',
  seats: -3,
  bytes: 2 ** 40,
  subscribed: false,
  born: '1990-05-17T00:00:00.000Z',
  tags: ['a', 'b"c'],
  scores: [1.5, 2],
  colour: 'blue',
}

describe('an additional field', () => {
  test('is a typed column, set by sign-up, returned by get-session and changed by update-user', async () => {
    const { signUp, update, user } = await withFields(everyType)
    const signedUp = await signUp(values)
    expect(signedUp.status).toBe(200)
    expect(Object.keys(signedUp.body.user)).toHaveLength(7)
    expect(await user()).toMatchObject(values)
    const changed = {
      plan: '',
      seats: 7,
      bytes: 0,
      subscribed: true,
      born: '2000-01-01T10:00:00.000Z',
      tags: [],
      scores: [0],
      colour: 'red',
    }
    expect((await update(changed)).body).toEqual({ status: true })
    expect(await user()).toMatchObject(changed)
    await update({ seats: 8 })
    expect(await user()).toMatchObject({ ...changed, seats: 8 })
  })

  test.each(['plan', 'tags', 'name', 'image', 'colour', 'unknown'])(
    '%s is rejected with half of a surrogate pair',
    async (name) => {
      const { signUp, update, user, visitor } = await withFields(everyType)
      const half = name === 'tags' ? ['a', 'b\ud800'] : 'b\ud800'
      const fault = [
        400,
        { code: 'VALIDATION_ERROR', message: 'Invalid body parameters', details: { parameters: expect.any(Array) } },
      ]
      const rejected = await signUp({ ...values, [name]: half })
      expect([rejected.status, rejected.body]).toEqual(fault)
      await signUp(values)
      const before = await user()
      const again = await update({ [name]: half })
      expect([again.status, again.body]).toEqual(fault)
      expect(await user()).toEqual(before)
      const signIn = await visitor.call('POST /sign-in/email', { body: { email: ann.email, password: `${ann.password}\ud800` } })
      expect([signIn.status, signIn.body]).toEqual(fault)
    },
  )

  test('is rejected when its transformation cuts a surrogate pair', async () => {
    const input = (value: string) => value.slice(0, 2)
    const { signUp } = await withFields({ plan: { type: 'string', transform: { input } } })
    expect((await signUp({ plan: 'x💚' })).body.code).toBe('VALIDATION_ERROR')
    expect((await signUp({ plan: '💚x' })).status).toBe(200)
  })

  test('accepts a day as a date', async () => {
    const { signUp, user } = await withFields({ born: { type: 'date' } })
    await signUp({ born: '1990-05-17' })
    expect((await user()).born).toBe('1990-05-17T00:00:00.000Z')
  })

  test.each(Object.keys(values))('%s is rejected when it is required and missing or null', async (name) => {
    const { signUp, update } = await withFields(everyType)
    const { [name]: _, ...others } = values as Record<string, unknown>
    const fault = { code: `${name.toUpperCase()}_IS_REQUIRED`, message: `${name} is required` }
    const missing = await signUp(others)
    expect([missing.status, missing.body]).toEqual([400, fault])
    expect((await signUp({ ...others, [name]: null })).body).toEqual(fault)
    await signUp(values)
    expect((await update({ [name]: null })).body).toEqual(fault)
  })

  test.each([
    ['plan', 7],
    ['plan', 'a'.repeat(16_001)],
    ['seats', '7'],
    ['seats', 1.5],
    ['seats', 2 ** 31],
    ['bytes', 2 ** 53],
    ['subscribed', 'true'],
    ['subscribed', 1],
    ['born', 'yesterday'],
    ['born', '0001-01-01T00:00:00Z'],
    ['born', 0],
    ['tags', 'a'],
    ['tags', [1]],
    ['scores', ['1']],
    ['colour', 'green'],
    ['colour', ['red']],
    ['plan', { toString: 'x' }],
  ])('%s rejects %j, at sign-up and later', async (name, value) => {
    const { signUp, update, user } = await withFields(everyType)
    const fault = [
      400,
      { code: 'VALIDATION_ERROR', message: 'Invalid body parameters', details: { parameters: expect.any(Array) } },
    ]
    const rejected = await signUp({ ...values, [name]: value })
    expect([rejected.status, rejected.body]).toEqual(fault)
    await signUp(values)
    const later = await update({ name: 'Anna', [name]: value })
    expect([later.status, later.body]).toEqual(fault)
    expect(await user()).toMatchObject({ name: 'Ann', ...values })
  })

  test('that is optional is null until it is set', async () => {
    const { signUp, update, user } = await withFields({
      plan: { type: 'string', ...optional },
      tags: { type: 'string[]', ...optional },
    })
    await signUp()
    expect(await user()).toMatchObject({ plan: null, tags: null })
    await update({ plan: 'pro', tags: ['a'] })
    await update({ plan: null })
    expect(await user()).toMatchObject({ plan: null, tags: ['a'] })
  })

  test('is validated after the check for a known email address, and before the account is created', async () => {
    const { app, browser, signUp } = await withFields({ plan: { type: 'string' } })
    expect((await signUp()).body.code).toBe('PLAN_IS_REQUIRED')
    expect(await app.db.selectFrom('user').selectAll().execute()).toEqual([])
    await signUp({ plan: 'pro' })
    const again = await browser().call('POST /sign-up/email', { body: ann })
    expect(again.body.code).toBe('USER_ALREADY_EXISTS')
  })

  test('has a default or a default function, which null and values override', async () => {
    let count = 0
    const fields: Fields = {
      plan: { type: 'string', defaultValue: 'free' },
      number: { type: 'number', defaultValue: () => ++count },
      tags: { type: 'string[]', defaultValue: ['new'], ...optional },
      subscribed: { type: 'boolean', defaultValue: false, ...optional },
    }
    const { browser, signUp, user } = await withFields(fields)
    await signUp()
    expect(await user()).toMatchObject({ plan: 'free', number: 1, tags: ['new'], subscribed: false })
    const other = browser()
    await other.call('POST /sign-up/email', { body: { ...ann, email: 'eve@example.com', plan: 'pro', tags: null } as never })
    expect((await other.call('GET /get-session', {})).body.user).toMatchObject({ plan: 'pro', number: 2, tags: null })
  })

  test('with `input: false` is set by its default and by hooks, and never by a body', async () => {
    const before = () => ({ data: { score: 3 } })
    const { signUp, update, user } = await withFields(
      { tier: { type: 'string', input: false, defaultValue: 'basic' }, score: { type: 'number', input: false } },
      { databaseHooks: { user: { create: { before } } } },
    )
    expect((await signUp({ tier: 'gold', score: 99 })).status).toBe(200)
    expect(await user()).toMatchObject({ tier: 'basic', score: 3 })
    const answer = await update({ tier: 'gold', score: 99 })
    expect([answer.body, answer.setCookie]).toEqual([{ status: true }, []])
    expect(await user()).toMatchObject({ tier: 'basic', score: 3 })
  })

  test('with `returned: false` is in no response', async () => {
    const { app, signUp, user, visitor } = await withFields({ note: { type: 'string', returned: false } })
    await signUp({ note: 'a private note' })
    expect(await user()).not.toHaveProperty('note')
    expect(await findUserByEmail(app, ann.email)).toMatchObject({ note: 'a private note' })
    const { body } = await visitor.call('GET /open-api/generate-schema', {})
    expect(body.components.schemas.User.properties).not.toHaveProperty('note')
  })

  test('that is unique is rejected when it is taken, also by 16 concurrent requests', async () => {
    const { app, browser, update, signUp } = await withFields({ badge: { type: 'string', unique: true, ...optional } })
    const join = (person: number, badge: string) =>
      browser().call('POST /sign-up/email', { body: { ...ann, email: `p${person}@example.com`, badge } as never })
    const answers = await Promise.all(Array.from({ length: 16 }, (_, person) => join(person, 'B1')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const rejected = answers.filter(({ status, body }) => status === 422 && body.code === 'FAILED_TO_CREATE_USER')
    expect(rejected).toHaveLength(15)
    await signUp()
    const taken = await update({ badge: 'B1' })
    expect([taken.status, taken.body]).toEqual([422, { code: 'FAILED_TO_UPDATE_USER', message: 'Failed to update user' }])
    expect(await app.db.selectFrom('user').selectAll().execute()).toHaveLength(2)
  })

  test('is validated and changed by its validator, or else by its transformation', async () => {
    const fields: Fields = {
      plan: { type: 'string', validator: { input: z.enum(['free', 'pro']) }, transform: { input: () => 'never' } },
      slug: { type: 'string', transform: { input: (text: string) => text.toLowerCase() }, ...optional },
      shout: { type: 'string', transform: { output: (text: string) => `${text}!` }, ...optional },
    }
    const { signUp, update, user } = await withFields(fields)
    expect((await signUp({ plan: 'gold' })).body).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'Invalid body parameters',
      details: { parameters: expect.any(Array) },
    })
    await signUp({ plan: 'pro', slug: 'ANN', shout: 'hey' })
    expect(await user()).toMatchObject({ plan: 'pro', slug: 'ann', shout: 'hey!' })
    expect((await update({ plan: 'gold' })).status).toBe(400)
    await update({ slug: 'EVE', shout: null })
    expect(await user()).toMatchObject({ slug: 'eve', shout: null })
  })

  test('can be stored under another name than it is returned', async () => {
    const { app, signUp, update, user, visitor } = await withFields({ plan: { type: 'string', fieldName: 'plan_code' } })
    await signUp({ plan: 'pro' })
    expect(await user()).toMatchObject({ plan: 'pro' })
    expect(await user()).not.toHaveProperty('plan_code')
    await update({ plan: 'free', plan_code: 'gold' })
    expect(await user()).toMatchObject({ plan: 'free' })
    expect(await findUserByEmail(app, ann.email)).toMatchObject({ plan_code: 'free' })
    const { body } = await visitor.call('GET /open-api/generate-schema', {})
    expect(body.components.schemas.User.properties).toHaveProperty('plan')
  })

  test('is in the OpenAPI document, in responses and in requests', async () => {
    const { visitor } = await withFields(everyType)
    const { body } = await visitor.call('GET /open-api/generate-schema', {})
    expect(body.components.schemas.User.properties).toMatchObject({ plan: {}, seats: {}, tags: {} })
    for (const path of ['/sign-up/email', '/update-user']) {
      const { properties, required = [] } = body.paths[path].post.requestBody.content['application/json'].schema
      expect(properties).toMatchObject({
        plan: { type: 'string' },
        seats: { type: 'integer' },
        colour: { enum: ['red', 'blue'] },
      })
      expect(required).not.toContain('plan')
    }
  })
})

describe('the configuration rejects', () => {
  const issuesOf = (additionalFields: object) => {
    const parsed = parseConfig(featureList, {
      secret: '0123456789 abcdefghijklmnopqrstuvwxyz',
      baseURL: 'https://accounts.example.com',
      database: { url: 'sqlite::memory:' },
      user: { additionalFields },
    })
    return 'issues' in parsed ? parsed.issues.map(({ id }) => id) : []
  }

  test.each([
    ['field-name', { email: { type: 'string' } }],
    ['field-name', { EMAIL: { type: 'string' } }],
    ['field-name', { role: { type: 'string' } }],
    ['field-name', { password: { type: 'string' } }],
    ['field-name', { rememberMe: { type: 'string' } }],
    ['field-form', { constructor: { type: 'string' } }],
    ['field-form', { a: { type: 'string', fieldName: 'toString' } }],
    ['field-name', { a: { type: 'string', fieldName: 'image' } }],
    ['field-name', { a: { type: 'string' }, b: { type: 'string', fieldName: 'A' } }],
    ['field-form', { 'a-b': { type: 'string' } }],
    ['field-form', { a: { type: 'string', fieldName: 'a b' } }],
    ['field-unique', { tags: { type: 'string[]', unique: true } }],
    ['config-value', { a: { type: 'text' } }],
    ['config-value', { a: { type: [] } }],
    ['config-value', { a: { type: 'string', validator: { input: 7 } } }],
    ['config-unknown-option', { a: { type: 'string', references: { model: 'user' } } }],
  ])('%s: %j', (id, fields) => expect(issuesOf(fields)).toEqual([id]))

  test('and nothing else', () => expect(issuesOf(everyType)).toEqual([]))
})
