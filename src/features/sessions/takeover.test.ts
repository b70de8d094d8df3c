/**
 * Credentials that end between the authentication of a call and its transaction, in the cases that the list of calls
 * (`tests/contract/audit.test.ts`) leaves out: calls that work without a session too, API keys, and passwords.
 */
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Feature } from '../../core/feature.ts'
import type { CallContext } from '../../core/request.ts'
import type { Route } from '../../core/route.ts'
import { requireNewPassword } from '../accounts/index.ts'
import { featureList } from '../index.ts'
import { setPasswordForUser } from '../password-change/index.ts'
import { findUserByEmail } from '../users/index.ts'
import { revokeSessions } from './index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const newPassword = 'another horse entirely'

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
  const kit = await testApp({ apiKey: true, organization: true }, { features: pausing(pause) })
  const thief = kit.browser()
  await thief.call('POST /sign-up/email', { body: ann })
  const user = async () => (await findUserByEmail(kit.app, ann.email)) ?? expect.fail('no user')
  const organization = await thief.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })
  const { id: keyId, key } = (await thief.call('POST /api-key/create', { body: { name: 'first key' } })).body
  return { ...kit, pause, thief, user, keyId, key, organizationId: organization.body.id }
}
type Arranged = Awaited<ReturnType<typeof arrange>>

const bodies: Readonly<Record<string, (arranged: Arranged) => object>> = {
  'POST /api-key/create': () => ({ name: 'second key' }),
  'POST /api-key/update': ({ keyId }: Arranged) => ({ keyId, name: 'second key' }),
  'POST /organization/update': ({ organizationId }: Arranged) => ({ organizationId, data: { name: 'Beta' } }),
}

test.each(Object.entries(bodies))('%s writes nothing for a session that was revoked', async (call, bodyOf) => {
  const arranged = await arrange()
  const { app, pause, thief, user } = arranged
  pause.interrupt = async () => void (await revokeSessions(app, { userId: (await user()).id }))
  const { status, body } = await thief.call(call as 'POST /api-key/create', { body: bodyOf(arranged) })
  expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
  const keys = await app.db.selectFrom('apikey').select('name').execute()
  const organizations = await app.db.selectFrom('organization').select('name').execute()
  expect([keys, organizations]).toEqual([[{ name: 'first key' }], [{ name: 'Acme' }]])
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
