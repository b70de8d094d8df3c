import { describe, expect, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import { captureMails } from '../../tests/kit/mails.ts'
import type { Config } from '../features/index.ts'
import { importUsers } from '../features/transfer/index.ts'

type GenerateId = NonNullable<Config['advanced']['database']['generateId']>

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

async function withIds(generateId: GenerateId, config: Parameters<typeof testApp>[0] = {}) {
  const kit = await testApp({ ...config, advanced: { database: { generateId } } })
  const visitor = kit.browser()
  return { ...kit, visitor, signUp: () => visitor.call('POST /sign-up/email', { body: ann }) }
}

describe('advanced.database.generateId', () => {
  test('makes the ids of users, accounts, sessions and secrets, also of imported users', async () => {
    let count = 0
    const asked: unknown[] = []
    const mails = captureMails()
    const { app, browser, visitor, signUp } = await withIds(
      (row) => {
        asked.push(row)
        return `${row.model}_${++count}`
      },
      { emailAndPassword: { enabled: true, sendResetPassword: mails.send } },
    )
    expect((await signUp()).body.user.id).toBe('user_1')
    await browser().call('POST /request-password-reset', { body: { email: ann.email } })
    const { body } = await visitor.call('GET /get-session', {})
    expect([body.user.id, body.session.id, body.session.userId]).toEqual(['user_1', 'session_3', 'user_1'])
    const [account, secret] = [
      await app.db.selectFrom('account').select('id').executeTakeFirst(),
      await app.db.selectFrom('verification').select('id').executeTakeFirst(),
    ]
    expect([account?.id, secret?.id]).toEqual(['account_2', 'verification_4'])
    expect(asked).toEqual(['user', 'account', 'session', 'verification'].map((model) => ({ model, size: 32 })))
    const line = (email: string, id?: string) => JSON.stringify({ user: { email, ...(id && { id }) } })
    await importUsers(app, { dryRun: false })([
      { number: 1, text: line('bob@example.com') },
      { number: 2, text: line('eve@example.com', 'eve-1') },
    ])
    const ids = await app.db.selectFrom('user').select('id').orderBy('id').execute()
    expect(ids.map(({ id }) => id)).toEqual(['eve-1', 'user_1', 'user_5'])
  })

  test('revokes a session with such an id by its handle', async () => {
    let count = 0
    const { browser, visitor, signUp } = await withIds(({ model }) => `${model}/${++count}`)
    await signUp()
    const other = browser()
    await other.call('POST /sign-in/email', { body: ann })
    const { id } = (await other.call('GET /get-session', {})).body.session
    expect((await visitor.call('POST /revoke-session', { body: { token: id } })).body).toEqual({ status: true })
    expect((await other.call('GET /get-session', {})).body).toBeNull()
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty text', ''],
    ['a number', 7],
    ['a promise', Promise.resolve('x')],
    ['too long a text', 'x'.repeat(37)],
    ['a space', 'a b'],
    ['a letter that is not ASCII', 'ä'],
  ])('that returns %s makes a 500 that the log explains, and nothing is written', async (_, made) => {
    const { app, log, signUp } = await withIds(() => made as string)
    const answer = await signUp()
    expect([answer.status, answer.body.code]).toEqual([500, 'INTERNAL_SERVER_ERROR'])
    const id = `"requestId":"${answer.headers.get('x-request-id')}"`
    expect(log.some((line) => line.includes(id) && line.includes('advanced.database.generateId must return'))).toBe(true)
    expect(await app.db.selectFrom('user').selectAll().execute()).toEqual([])
  })

  test('creates no second row when it returns an id twice', async () => {
    const { app, browser, signUp } = await withIds(({ model }) => model)
    expect((await signUp()).status).toBe(200)
    const other = await browser().call('POST /sign-up/email', { body: { ...ann, email: 'bob@example.com' } })
    expect([other.status, other.body.code]).toEqual([422, 'FAILED_TO_CREATE_USER'])
    expect(await app.db.selectFrom('user').selectAll().execute()).toHaveLength(1)
  })

  test('gives a 500 when it throws', async () => {
    const { signUp } = await withIds(() => {
      throw new Error('no number left')
    })
    expect((await signUp()).status).toBe(500)
  })
})
