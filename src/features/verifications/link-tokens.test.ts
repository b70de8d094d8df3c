/** A link token of any length and form is an unknown token, never a validation error (contract 01 §5.3, 02 §6). */
import { describe, expect, test } from 'vitest'
import { baseURL, testApp } from '../../../tests/kit/app.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const newPassword = 'another horse entirely'
const unknown = { code: 'INVALID_TOKEN', message: 'invalid token' }

const tokens = ['x', 'a'.repeat(100), 'a'.repeat(101), 'a'.repeat(1500), 'é中😀', '<script>', "' or 1=1", '\u0000']

describe.each(tokens.map((token) => [JSON.stringify(token).slice(0, 20), token.length, token]))(
  'the token %s (%i)',
  (...[, , token]) => {
    test('resets no password', async () => {
      const { browser } = await testApp()
      const reset = await browser().call('POST /reset-password', { body: { token, newPassword } })
      expect([reset.status, reset.body]).toEqual([400, unknown])
      const setUp = await browser().call('POST /set-up', { body: { token, newPassword } })
      expect([setUp.status, setUp.body]).toEqual([400, unknown])
    })

    test('deletes no account', async () => {
      const { browser } = await testApp({ user: { deleteUser: { enabled: true } } })
      const visitor = browser()
      await visitor.call('POST /sign-up/email', { body: ann })
      const deleted = await visitor.call('POST /delete-user', { body: { token } })
      expect([deleted.status, deleted.body]).toEqual([404, unknown])
      expect((await visitor.call('GET /get-session', {})).body).not.toBeNull()
    })
  },
)

test.each(tokens.map((token) => [JSON.stringify(token).slice(0, 20), token.length, token]))(
  'in an address, the token %s (%i) is unknown too',
  async (...[, , token]) => {
    const { browser } = await testApp({ user: { deleteUser: { enabled: true } }, dashboard: { enabled: false } })
    const visitor = browser()
    await visitor.call('POST /sign-up/email', { body: ann })
    const encoded = encodeURIComponent(token)
    const opened = await visitor.request(`/reset-password/${encoded}?callbackURL=/r`)
    expect([opened.status, opened.headers.get('location')]).toEqual([302, `${baseURL}/r?error=INVALID_TOKEN`])
    const reset = await visitor.call('POST /reset-password', { query: { token }, body: { newPassword } })
    expect([reset.status, reset.body]).toEqual([400, unknown])
    const deleted = await visitor.request(`/delete-user/callback?token=${encoded}`)
    expect([deleted.status, deleted.body]).toEqual([404, unknown])
    const page = await visitor.request(`/set-up?token=${encoded}`)
    expect([page.status, page.body]).toEqual([200, expect.stringContaining('This link no longer works')])
  },
)
