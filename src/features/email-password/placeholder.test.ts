import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

test('users cannot sign up with a placeholder address, nor change to one', async () => {
  const { browser } = await testApp({ user: { changeEmail: { enabled: true } } })
  const visitor = browser()
  const email = 'reddit-x7@Users.Latchkey.INVALID'
  const refused = await visitor.call('POST /sign-up/email', { body: { ...ann, email } })
  expect([refused.status, refused.body]).toEqual([400, expect.objectContaining({ code: 'INVALID_EMAIL' })])
  await visitor.call('POST /sign-up/email', { body: ann })
  expect((await visitor.call('POST /change-email', { body: { newEmail: email } })).status).toBe(400)
})

test('sends nothing to a placeholder address', async () => {
  const mails = captureMails<object>()
  const { browser, app } = await testApp({ mail: { from: 'a@example.com', send: mails.send } })
  await browser().call('POST /sign-up/email', { body: ann })
  await app.db.updateTable('user').set({ email: 'reddit-x7@users.latchkey.invalid' }).execute()
  const { status } = await browser().call('POST /request-password-reset', { body: { email: 'reddit-x7@users.latchkey.invalid' } })
  expect([status, mails.sent.filter((mail) => JSON.stringify(mail).includes('invalid'))]).toEqual([200, []])
  expect(await app.db.selectFrom('outbox').select('recipient').where('recipient', 'like', '%invalid').execute()).toEqual([])
})
