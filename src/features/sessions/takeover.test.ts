/**
 * Credentials that end between the authentication of a call and its transaction, in the cases that the lists of calls
 * (`tests/contract/audit.test.ts`, `ended-links.test.ts`) leave out.
 */
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Feature } from '../../core/feature.ts'
import type { CallContext } from '../../core/request.ts'
import type { Route } from '../../core/route.ts'
import { requireNewPassword } from '../accounts/index.ts'
import { type ConfigFile, featureList } from '../index.ts'
import { setPasswordForUser } from '../password-change/index.ts'
import { findUserByEmail } from '../users/index.ts'
import { revokeSessions } from './index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const newPassword = 'another horse entirely'
const phoneNumber = '+491701234567'

/** What comes between the authentication of a call and its handler; once. */
interface Pause {
  interrupt: (() => Promise<void>) | null
}

/** The features, with a pause before each handler. */
function pausing(pause: Pause): Readonly<Record<string, Feature>> {
  const withPause = ({ declaration }: Route): Route => ({
    declaration: {
      ...declaration,
      handler: async (ctx: CallContext) => {
        const { interrupt } = pause
        pause.interrupt = null
        await interrupt?.()
        return declaration.handler(ctx as never)
      },
    },
  })
  const wrap = ({ routes, ...feature }: Feature): Feature => ({
    ...feature,
    routes: Object.fromEntries(Object.entries(routes ?? {}).map(([key, route]) => [key, withPause(route as Route)])),
  })
  return Object.fromEntries(
    Object.entries(featureList as Readonly<Record<string, Feature>>).map(([name, one]) => [name, wrap(one)]),
  )
}

async function arrange() {
  const pause: Pause = { interrupt: null }
  const texts: { readonly text: string }[] = []
  const sms = { send: (message: { readonly text: string }) => void texts.push(message) }
  const config: ConfigFile = { apiKey: true, organization: true, phoneNumber: true, sms, mail: { catch: true } }
  const kit = await testApp(config, { features: pausing(pause) })
  const thief = kit.browser()
  await thief.call('POST /sign-up/email', { body: ann })
  const user = async () => (await findUserByEmail(kit.app, ann.email)) ?? expect.fail('no user')
  await thief.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })
  const { key } = (await thief.call('POST /api-key/create', { body: { name: 'first key' } })).body
  const sentCode = async () => {
    await expect.poll(() => texts.length).toBe(1)
    return /^\d+/.exec(texts[0]?.text ?? '')?.[0] ?? ''
  }
  return { ...kit, pause, thief, user, key, sentCode }
}

test('a code adds no number to the user of a session that was revoked', async () => {
  const { app, pause, thief, user, sentCode } = await arrange()
  await thief.call('POST /phone-number/send-otp', { body: { phoneNumber } })
  const code = await sentCode()
  pause.interrupt = async () => void (await revokeSessions(app, { userId: (await user()).id }))
  const { status } = await thief.call('POST /phone-number/verify', { body: { phoneNumber, code, updatePhoneNumber: true } })
  expect([status, (await user()).phoneNumber]).toEqual([401, null])
})

test('no verification email is sent for a session that was revoked', async () => {
  const { app, pause, thief, user } = await arrange()
  pause.interrupt = async () => void (await revokeSessions(app, { userId: (await user()).id }))
  const { status } = await thief.call('POST /send-verification-email', { body: { email: ann.email } })
  expect([status, await app.db.selectFrom('outbox').select('kind').where('kind', '=', 'verification').execute()]).toEqual([
    401,
    [],
  ])
})

test('a password that must be replaced is not replaced by a call that verified it before', async () => {
  const { app, pause, thief, user } = await arrange()
  pause.interrupt = async () => requireNewPassword(app, (await user()).id)
  const body = { currentPassword: ann.password, newPassword: ann.password }
  const { status, body: rejected } = await thief.call('POST /change-password', { body })
  expect([status, rejected.code]).toEqual([400, 'INVALID_PASSWORD'])
})

test('an API key that was disabled writes nothing', async () => {
  const { app, pause, browser, key } = await arrange()
  pause.interrupt = async () => void (await app.db.updateTable('apikey').set({ enabled: false }).execute())
  const body = { name: 'Beta', slug: 'beta' }
  expect((await browser().call('POST /organization/create', { body }, { 'x-api-key': key })).status).toBe(401)
})

test('an API key that a recovery ends writes nothing', async () => {
  const { app, pause, browser, user, key } = await arrange()
  pause.interrupt = async () => void (await setPasswordForUser(app, await user(), newPassword))
  const body = { name: 'Beta', slug: 'beta' }
  expect((await browser().call('POST /organization/create', { body }, { 'x-api-key': key })).status).toBe(401)
  expect(await app.db.selectFrom('organization').select('name').execute()).toEqual([{ name: 'Acme' }])
})

test('a call that replaces its own session finishes, and one that another password ends does not', async () => {
  const { app, pause, thief, user } = await arrange()
  const body = { currentPassword: ann.password, newPassword, revokeOtherSessions: true }
  expect((await thief.call('POST /change-password', { body })).status).toBe(200)
  pause.interrupt = async () => void (await setPasswordForUser(app, await user(), ann.password))
  expect((await thief.call('POST /update-user', { body: { name: 'Thief' } })).status).toBe(401)
})
