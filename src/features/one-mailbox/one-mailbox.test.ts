/** One user for each mailbox: at sign-up, at a change of the address, and for users who existed before. */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Answer } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import { transaction } from '../../core/transaction.ts'
import type { ConfigFile } from '../index.ts'
import { createUser } from '../setup/index.ts'
import { insertUsers } from '../users/index.ts'
import { jobs } from './index.ts'

const password = 'correct horse battery'
const signUp = { oneMailbox: true }
const outcome = ({ status, body }: Answer) => [status, body?.code].filter(Boolean).join(' ')
const signal = new AbortController().signal

async function open(config: ConfigFile = {}) {
  const kit = await testApp({ signUp, ...config })
  const join = (email: string, browser = kit.browser()) =>
    browser.call('POST /sign-up/email', { body: { name: 'Ann', email, password } })
  const emails = async () =>
    (await kit.app.db.selectFrom('user').select('email').orderBy('email').execute()).map(({ email }) => email)
  const mailboxes = async () =>
    (await kit.app.db.selectFrom('user').select(['email', 'mailbox']).orderBy('email').execute()).map(
      ({ email, mailbox }) => `${email} ${mailbox?.replace(/ .*/, '')}`,
    )
  return { ...kit, join, emails, mailboxes }
}

describe('a sign-up', () => {
  test('with another address of the mailbox is rejected, and with the same one says that it exists', async () => {
    const { join, emails } = await open()
    expect(outcome(await join('Ann@gmail.com'))).toBe('200')
    expect(outcome(await join('a.n.n+shop@googlemail.com'))).toBe('403 SIGN_UP_NOT_ALLOWED')
    expect(outcome(await join('ann@gmail.com'))).toBe('422 USER_ALREADY_EXISTS')
    expect(outcome(await join('anna@gmail.com'))).toBe('200')
    expect(await emails()).toEqual(['ann@gmail.com', 'anna@gmail.com'])
  })

  test('is free again when the user is deleted', async () => {
    const { app, join } = await open()
    await join('ann@gmail.com')
    await app.db.deleteFrom('user').execute()
    expect(outcome(await join('ann+1@gmail.com'))).toBe('200')
  })

  test('with antiEnumeration responds as for a new user, and notifies the owner', async () => {
    const mails = captureMails<{ to: string; subject: string }>()
    const emailAndPassword = { enabled: true, requireEmailVerification: true, antiEnumeration: true }
    const { join, emails } = await open({ emailAndPassword, mail: { send: mails.send as never, from: 'a@example.com' } })
    await join('ann@gmail.com')
    await mails.next()
    const [taken, fresh] = [await join('ann+1@gmail.com'), await join('bob@gmail.com')]
    expect([taken.status, Object.keys(taken.body), Object.keys(taken.body.user)]).toEqual([
      200,
      Object.keys(fresh.body),
      Object.keys(fresh.body.user),
    ])
    const sent = [await mails.next(), await mails.next()]
    expect(sent.map(({ to, subject }) => `${to} ${/already/.test(subject)}`).toSorted()).toEqual([
      'ann@gmail.com true',
      'bob@gmail.com false',
    ])
    expect(await emails()).toEqual(['ann@gmail.com', 'bob@gmail.com'])
  })

  test.each(places)('creates one user when 64 addresses of a mailbox race, at %s', async (place) => {
    const kit = await openRacers(place, { signUp })
    const answers = await race(kit.browsers(), (browser, position) =>
      browser.call('POST /sign-up/email', { body: { name: 'Ann', email: `ann+${position}@gmail.com`, password } }),
    )
    expect(tally(answers)).toEqual({ 200: 1, '403 SIGN_UP_NOT_ALLOWED': 63 })
    expect(await kit.app.db.selectFrom('user').select('id').execute()).toHaveLength(1)
  })

  test.each(places)('with antiEnumeration creates one user and gives all the same response, at %s', async (place) => {
    const emailAndPassword = { enabled: true, requireEmailVerification: true, antiEnumeration: true }
    const kit = await openRacers(place, { signUp, emailAndPassword, mail: { catch: true } })
    const answers = await race(kit.browsers(), (browser, position) =>
      browser.call('POST /sign-up/email', { body: { name: 'Ann', email: `ann+${position}@gmail.com`, password } }),
    )
    expect(tally(answers)).toEqual({ 200: 64 })
    expect(await kit.app.db.selectFrom('user').select('id').execute()).toHaveLength(1)
  })
})

describe('a change of the email address', () => {
  const config: ConfigFile = { user: { changeEmail: { enabled: true } }, mail: { catch: true } }

  test('to another address of the own mailbox is possible, and to one of another user is not', async () => {
    const { browser, join, mailboxes } = await open(config)
    const [ann, bob] = [browser(), browser()]
    await join('ann@gmail.com', ann)
    await join('bob@gmail.com', bob)
    const change = (by: typeof ann, newEmail: string) => by.call('POST /change-email', { body: { newEmail } })
    expect(outcome(await change(bob, 'ann+bob@gmail.com'))).toBe('403 SIGN_UP_NOT_ALLOWED')
    expect(outcome(await change(ann, 'ann+new@gmail.com'))).toBe('200')
    expect(outcome(await change(bob, 'ann@gmail.com'))).toBe('403 SIGN_UP_NOT_ALLOWED')
    expect(await mailboxes()).toEqual(['ann+new@gmail.com ann@gmail.com', 'bob@gmail.com bob@gmail.com'])
  })

  test('by an administrator may give two users one mailbox', async () => {
    const { administrate } = await import('../../../tests/kit/administration.ts')
    const opened = await open({ ...config, admin: true })
    const kit = await administrate(opened)
    await opened.join('ann@gmail.com')
    const body = { userId: kit.uma.userId, data: { email: 'ann+uma@gmail.com' } }
    expect(outcome(await kit.ada.browser.call('POST /admin/update-user', { body }))).toBe('200')
    expect(await kit.mailboxes()).toContain('ann+uma@gmail.com shared')
  })
})

describe('users who existed before', () => {
  const row = (id: string, email: string) => ({
    ...{ id, email, name: 'Ann', emailVerified: false, createdAt: new Date(0), updatedAt: new Date(0) },
  })

  test('are read by the job, and two of one mailbox both stay', async () => {
    const { app, join, mailboxes } = await open()
    const rows = [row('1', 'ann@gmail.com'), row('2', 'ann+2@gmail.com'), row('3', 'bob@gmail.com')]
    await app.db.insertInto('user').values(rows).execute()
    await jobs.mailboxes?.run(app, signal)
    expect(await mailboxes()).toEqual(['ann+2@gmail.com shared', 'ann@gmail.com ann@gmail.com', 'bob@gmail.com bob@gmail.com'])
    expect(outcome(await join('bob+1@gmail.com'))).toBe('403 SIGN_UP_NOT_ALLOWED')
    await jobs.mailboxes?.run(app, signal)
    expect(await mailboxes()).toHaveLength(3)
  })

  test('that are imported get their mailbox with the import', async () => {
    const { app, mailboxes } = await open()
    const rows = [row('1', 'ann@gmail.com'), row('2', 'ann+2@gmail.com')] as never
    await transaction(app, (tx) => insertUsers(tx, rows))
    expect(await mailboxes()).toEqual(['ann+2@gmail.com shared', 'ann@gmail.com ann@gmail.com'])
  })
})

test('an operator who overrides the policy may create a second user of a mailbox', async () => {
  const { app, join, mailboxes } = await open()
  await join('ann@gmail.com')
  const given = { name: 'Ann', email: 'ann+2@gmail.com' }
  await expect(createUser(app, given)).rejects.toMatchObject({ entry: { code: 'SIGN_UP_NOT_ALLOWED' } })
  await createUser(app, given, { source: 'operator', overrides: true })
  expect(await mailboxes()).toEqual(['ann+2@gmail.com shared', 'ann@gmail.com ann@gmail.com'])
})
