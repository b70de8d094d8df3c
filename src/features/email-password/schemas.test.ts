import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { email, newPassword } from './schemas.ts'

const lengths = { minPasswordLength: 10, maxPasswordLength: 70 }
const codeOf = (given: string) => newPassword(lengths).safeParse(given).error?.issues[0]?.message ?? null

test.each([
  ['nine char', 'PASSWORD_TOO_SHORT'],
  ['ten chars.', null],
  ['😀😀😀😀😀', null],
  ['a horse '.repeat(9), 'PASSWORD_TOO_LONG'],
])('a form and the API judge the password "%s" alike', async (password, code) => {
  const { browser } = await testApp({ emailAndPassword: { enabled: true, ...lengths } })
  const { body } = await browser().call('POST /sign-up/email', { body: { name: 'Ann', email: 'ann@example.com', password } })
  expect([codeOf(password), body.code ?? null]).toEqual([code, code])
})

test('a form gets the code of an invalid email address', () => {
  expect(email.safeParse('ann@example').error?.issues.map(({ message }) => message)).toEqual(['INVALID_EMAIL'])
  expect(email.safeParse('ann@example.com').success).toBe(true)
})
