import { expect, test } from 'vitest'
import { administrate } from '../../../tests/kit/administration.ts'
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

test('no one gives a placeholder address to a user, nor invites one', async () => {
  const { ada, uma, app } = await administrate(await testApp({ admin: true, organization: true }))
  const email = 'Reddit-X7@users.latchkey.invalid'
  const { browser } = ada
  const created = await browser.call('POST /admin/create-user', { body: { ...ann, email } })
  const updated = await browser.call('POST /admin/update-user', { body: { userId: uma.userId, data: { email } } })
  const withData = await browser.call('POST /admin/create-user', { body: { ...ann, data: { email } } })
  expect([created, updated, withData].map(({ body }) => body?.code)).toEqual(Array(3).fill('INVALID_EMAIL'))
  const { body } = await browser.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })
  const invitation = { email, role: 'member', organizationId: body.id }
  const invited = await browser.call('POST /organization/invite-member', { body: invitation })
  expect(invited).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', details: { parameters: ['email'] } } })
  expect(await app.db.selectFrom('user').select('id').where('email', 'like', '%invalid').execute()).toEqual([])
})

test('a placeholder address is never verified, and its user can be updated', async () => {
  const { ada, uma, app } = await administrate(await testApp({ admin: true }))
  const email = 'reddit-x7@users.latchkey.invalid'
  await app.db.updateTable('user').set({ email, emailVerified: false }).where('id', '=', uma.userId).execute()
  const update = (data: object) => ada.browser.call('POST /admin/update-user', { body: { userId: uma.userId, data } })
  expect(await update({ emailVerified: true })).toMatchObject({ status: 400, body: { code: 'INVALID_EMAIL' } })
  expect(await update({ name: 'Una', email })).toMatchObject({ status: 200, body: { name: 'Una', emailVerified: false } })
  expect(await update({ email: 'uma@example.com', emailVerified: true })).toMatchObject({
    status: 200,
    body: { emailVerified: true },
  })
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
