/** The rule for users whose second factor a move could not bring. */
import { expect, test } from 'vitest'
import { administrate } from '../../../tests/kit/administration.ts'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { outcome, password } from '../../../tests/kit/members.ts'
import { beginApp, proveMailbox } from '../../../tests/kit/required-factor.ts'
import { signInAs, verify } from '../../../tests/kit/second-factor.ts'
import { importUsers } from '../transfer/index.ts'

test('a user who was moved without their second factor sets one up at the next sign-in, and is then under no rule', async () => {
  const codes = captureMails<{ otp: string }>()
  const kit = await testApp({
    ...{ admin: true, mail: { catch: true } },
    twoFactor: { required: [{ moved: true }], otpOptions: { sendOTP: codes.send } },
  })
  const { ada } = await administrate(kit)
  const hash = await kit.app.hasher.hash(password)
  const lineOf = (name: string, more: object) => ({
    user: { email: `${name}@example.com`, emailVerified: true, createdAt: '2024-01-31T12:00:00Z' },
    accounts: [{ providerId: 'credential', password: hash }],
    ...more,
  })
  const lines = [lineOf('ann', { setUpFactorAtSignIn: true }), lineOf('bob', {})].map((value, number) => ({ number, value }))
  const run = async () => (await importUsers(kit.app, { dryRun: false })(lines)).map(({ outcome: result }) => result)
  expect(await run()).toEqual(['created', 'created'])
  expect((await signInAs(kit.browser(), 'bob')).status).toBe(200)
  const user = await kit.app.db.selectFrom('user').select('id').where('email', '=', 'ann@example.com').executeTakeFirstOrThrow()
  const required = async () => {
    const { body } = await ada.browser.call('GET /admin/list-user-factors', { query: { userId: user.id } })
    return body.required
  }
  expect(await required()).toMatchObject({ by: 'moved', methods: ['passkey', 'totp'] })
  const ann = kit.browser()
  await proveMailbox(ann, codes)
  const { code } = await beginApp(ann, kit.app)
  expect((await verify(ann, code())).status).toBe(200)
  expect(await required()).toBeNull()
  kit.clock.advance(30)
  expect((await signInAs(kit.browser(), 'ann')).body).toMatchObject({ twoFactorRedirect: true })
  // The mark is not compared, so that the move can be run again.
  expect(await run()).toEqual(['unchanged', 'unchanged'])
  // The factor is theirs: no rule keeps them from removing it.
  expect(outcome(await ann.call('POST /two-factor/disable', { body: { password } }))).toBe('200')
})
