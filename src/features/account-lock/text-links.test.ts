/** The lock link of a notice by text message: its reader has the phone, and perhaps not the mailbox. */
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { signUp } from '../../../tests/kit/members.ts'
import { enrol } from '../../../tests/kit/second-factor.ts'
import { transaction } from '../../core/transaction.ts'
import { updateUser, userUpdate } from '../users/index.ts'
import { unlockAccount } from './index.ts'

const phoneNumber = '+491701234567'

interface Text {
  readonly to: string
  readonly text: string
}

/** Ann has a verified phone number, and a text message about her second factor. */
async function withText() {
  const texts = captureMails<Text>()
  const mails = captureMails<Text>()
  const kit = await testApp({
    ...{ twoFactor: true, phoneNumber: true, dashboard: { enabled: true } },
    sms: { send: texts.send },
    mail: { from: 'Acme <no-reply@acme.example>', send: mails.send },
  })
  const { browser: ann, userId } = await signUp(kit, 'Ann')
  const set = (columns: object) => transaction(kit.app, (tx) => updateUser(tx, userId, userUpdate(tx, columns).draft))
  await set({ emailVerified: true })
  await kit.app.db.updateTable('user').set({ phoneNumber, phoneNumberVerified: true }).where('id', '=', userId).execute()
  await enrol(kit, ann)
  await kit.settled()
  const { text } = texts.sent.find(({ to }) => to === phoneNumber) ?? expect.fail('no text message')
  const [, token = ''] = /\/lock-account\?token=([\w-]+)$/.exec(text) ?? expect.fail(text)
  const call = (path: 'POST /lock-account' | 'POST /lock-account/check') => kit.browser().call(path, { body: { token } })
  const addresses = async () => {
    await kit.settled()
    return mails.sent.filter(({ text }) => /locked/i.test(text)).map(({ to }) => to)
  }
  return { ...kit, ann, userId, text, set, call, addresses }
}

test('a text message about a change has the link, which says that it came as one', async () => {
  const { call, text } = await withText()
  expect(text).toMatch(/\n\nThis wasn't me: lock my account:\nhttp\S+$/)
  const { status, body } = await call('POST /lock-account/check')
  expect([status, body]).toMatchObject([200, { email: null, isLocked: false, opensByReset: false }])
})

test('it locks the account, which no password reset opens, also after a thief has changed the email address', async () => {
  const { addresses, ann, call, set } = await withText()
  await set({ email: 'thief@example.com', emailVerified: true })
  const { status, body } = await call('POST /lock-account')
  expect([status, body]).toMatchObject([200, { opensByReset: false, ended: { sessions: 1 } }])
  expect((await ann.call('GET /get-session', {})).body).toBeNull()
  expect((await call('POST /lock-account')).status).toBe(400)
  expect((await addresses()).toSorted()).toEqual(['ann@example.com', 'thief@example.com'])
})

test('an administrator who opens the account ends the links of text messages', async () => {
  const { app, call, userId } = await withText()
  await unlockAccount(app, null, { userId })
  // Nothing was locked, so that nothing ends.
  expect((await call('POST /lock-account/check')).status).toBe(200)
  await app.db.updateTable('user').set({ lockedAt: app.now() }).where('id', '=', userId).execute()
  await unlockAccount(app, null, { userId })
  expect((await call('POST /lock-account/check')).status).toBe(400)
})
