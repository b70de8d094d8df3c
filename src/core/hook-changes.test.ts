/** Hooks that return `{ data }`: what they were not shown must survive, whatever they leave out. */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import { captureMails } from '../../tests/kit/mails.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const newPassword = 'another horse entirely'

/** What a hook can return of what it is given. */
const answers = [
  ['all columns', (data: object) => ({ data: { ...data } })],
  ['one column', (data: object) => ({ data: Object.fromEntries(Object.entries(data).slice(0, 1)) })],
] as const
type Answer = (typeof answers)[number][1]

async function withAnn(model: 'user' | 'session' | 'account' | 'verification', before: Answer, more: object = {}) {
  const mails = captureMails()
  const kit = await testApp({
    ...more,
    databaseHooks: { [model]: { create: { before }, update: { before } } },
    emailAndPassword: { enabled: true, sendResetPassword: mails.send },
  })
  const visitor = kit.browser()
  const signedUp = await visitor.call('POST /sign-up/email', { body: ann })
  expect(signedUp.status).toBe(200)
  const signIn = async (password = ann.password) =>
    (await kit.browser().call('POST /sign-in/email', { body: { email: ann.email, password } })).status
  return { ...kit, mails, visitor, signIn }
}

describe.each(answers)('a hook that returns %s it was given', (_, before) => {
  test('keeps the password when an account is created and when it is changed', async () => {
    const { visitor, signIn } = await withAnn('account', before)
    expect(await signIn()).toBe(200)
    const changed = await visitor.call('POST /change-password', { body: { currentPassword: ann.password, newPassword } })
    expect(changed.status).toBe(200)
    expect([await signIn(), await signIn(newPassword)]).toEqual([401, 200])
  })

  test('keeps the password when it is reset', async () => {
    const { browser, mails, signIn } = await withAnn('account', before)
    await browser().call('POST /request-password-reset', { body: { email: ann.email } })
    const { token } = await mails.next()
    const reset = await browser().call('POST /reset-password', { body: { newPassword, token } })
    expect([reset.status, await signIn(), await signIn(newPassword)]).toEqual([200, 401, 200])
  })

  test('keeps the token of a session when it is created, renewed and updated', async () => {
    const session = { additionalFields: { theme: { type: 'string' as const, required: false } } }
    const { clock, visitor } = await withAnn('session', before, { session })
    const present = async () => (await visitor.call('GET /get-session', {})).body?.user.email
    expect(await present()).toBe(ann.email)
    expect((await visitor.call('POST /update-session', { body: { theme: 'dark' } })).status).toBe(200)
    expect(await present()).toBe(ann.email)
    clock.advance(2 * 86_400)
    expect(await present()).toBe(ann.email)
    expect(await present()).toBe(ann.email)
  })

  test('keeps the token of a reset link', async () => {
    const { browser, mails, signIn } = await withAnn('verification', before)
    await browser().call('POST /request-password-reset', { body: { email: ann.email } })
    const { token } = await mails.next()
    const reset = await browser().call('POST /reset-password', { body: { newPassword, token } })
    expect([reset.status, await signIn(newPassword)]).toEqual([200, 200])
  })

  test('keeps the columns by which a user is found, and the access revision', async () => {
    const { app, visitor, signIn } = await withAnn('user', before)
    const revision = async () =>
      (await app.db.selectFrom('user').select('accessRevision').executeTakeFirstOrThrow()).accessRevision
    const created = await revision()
    expect((await visitor.call('POST /update-user', { body: { name: 'Anna' } })).status).toBe(200)
    expect([await revision(), await signIn()]).toEqual([created, 200])
    await visitor.call('POST /change-password', { body: { currentPassword: ann.password, newPassword } })
    expect([await revision(), await signIn(newPassword)]).toEqual([created + 1, 200])
  })
})

test('a hook that changes a value changes what is written, for each table', async () => {
  const changed = {
    user: { name: 'Changed' },
    session: { userAgent: 'changed' },
    account: { scope: 'changed' },
  }
  const databaseHooks = Object.fromEntries(
    Object.entries(changed).map(([model, more]) => [
      model,
      { create: { before: (data: object) => ({ data: { ...data, ...more } }) } },
    ]),
  )
  const { app, browser } = await testApp({ databaseHooks })
  await browser().call('POST /sign-up/email', { body: ann })
  expect(await app.db.selectFrom('user').select('name').execute()).toEqual([changed.user])
  expect(await app.db.selectFrom('session').select('userAgent').execute()).toEqual([changed.session])
  expect(await app.db.selectFrom('account').select('scope').execute()).toEqual([changed.account])
})

test.each([
  ['user', 'POST /update-user', { name: 'Anna' }],
  ['session', 'POST /update-session', { theme: 'dark' }],
] as const)('a hook that leaves no column of an update of %s changes only its time', async (table, call, body) => {
  const session = { additionalFields: { theme: { type: 'string' as const, required: false } } }
  const databaseHooks = { [table]: { update: { before: () => ({ data: {} }) } } }
  const { app, browser, clock } = await testApp({ databaseHooks, session })
  const visitor = browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  const row = () => app.db.selectFrom(table).selectAll().executeTakeFirstOrThrow()
  const before = await row()
  clock.advance(60)
  expect((await visitor.call(call, { body })).status).toBe(200)
  expect(await row()).toEqual({ ...before, updatedAt: app.now() })
})
