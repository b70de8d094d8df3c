/** A call that was authenticated before its session was ended writes nothing afterwards. */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { App } from '../../core/app.ts'
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

/** What comes between the authentication of a call and its transaction; once. */
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
  const wrap = (routes: NonNullable<Feature['routes']>) =>
    Object.fromEntries(Object.entries(routes).map(([key, route]) => [key, withPause(route as Route)]))
  return Object.fromEntries(
    Object.entries(featureList as Readonly<Record<string, Feature>>).map(([name, feature]) => [
      name,
      feature.routes ? { ...feature, routes: wrap(feature.routes) } : feature,
    ]),
  )
}

const send = () => undefined
const everything = {
  ...{ admin: true, apiKey: true, oneTimeToken: true, jwt: true, bearer: true, multiSession: true, username: true },
  organization: { teams: true },
  emailAndPassword: { enabled: true, sendResetPassword: send },
  emailVerification: { sendVerificationEmail: send },
  user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
}

const watched = ['user', 'account', 'session', 'apikey', 'organization', 'member', 'team', 'invitation', 'verification'] as const
const rowsOf = async ({ db }: App) =>
  JSON.stringify(await Promise.all(watched.map((table) => db.selectFrom(table).selectAll().orderBy('id').execute())))

async function arrange() {
  const pause: Pause = { interrupt: null }
  const kit = await testApp(everything, { features: pausing(pause) })
  const { app } = kit
  const thief = kit.browser()
  await thief.call('POST /sign-up/email', { body: ann })
  await app.db.updateTable('user').set({ role: 'admin' }).execute()
  const user = async () => (await findUserByEmail(app, ann.email)) ?? expect.fail('no user')
  const other = kit.browser()
  await other.call('POST /sign-up/email', { body: { ...ann, email: 'bob@example.com' } })
  const bob = (await findUserByEmail(app, 'bob@example.com')) ?? expect.fail('no user')
  const { id: organizationId } = (await thief.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })).body
  const { id: keyId } = (await thief.call('POST /api-key/create', { body: {} })).body
  return { ...kit, pause, thief, user, bob, organizationId, keyId }
}
type Arranged = Awaited<ReturnType<typeof arrange>>

/** Bodies that succeed with a session that lives. */
const bodies: Readonly<Record<string, (arranged: Arranged) => object>> = {
  'POST /change-password': () => ({ currentPassword: ann.password, newPassword: ann.password }),
  'POST /change-password, with revokeOtherSessions': () => ({
    ...{ currentPassword: ann.password, newPassword: ann.password, revokeOtherSessions: true },
  }),
  'POST /change-email': () => ({ newEmail: 'thief@example.com' }),
  'POST /update-user': () => ({ name: 'Thief', username: 'thief' }),
  'POST /delete-user': () => ({ password: ann.password }),
  'POST /api-key/create': () => ({}),
  'POST /api-key/update': ({ keyId }) => ({ keyId, name: 'thief' }),
  'POST /api-key/delete': ({ keyId }) => ({ keyId }),
  'POST /organization/create': () => ({ name: 'Beta', slug: 'beta' }),
  'POST /organization/update': ({ organizationId }) => ({ organizationId, data: { name: 'Beta' } }),
  'POST /organization/delete': ({ organizationId }) => ({ organizationId }),
  'POST /organization/create-team': ({ organizationId }) => ({ organizationId, name: 'Design' }),
  'POST /organization/invite-member': ({ organizationId }) => ({ organizationId, email: 'eve@example.com', role: 'owner' }),
  'POST /admin/set-role': ({ bob }) => ({ userId: bob.id, role: 'admin' }),
  'POST /admin/create-user': () => ({ name: 'Eve', email: 'eve@example.com', password: ann.password, role: 'admin' }),
  'POST /admin/update-user': ({ bob }) => ({ userId: bob.id, data: { name: 'Eve' } }),
  'POST /admin/ban-user': ({ bob }) => ({ userId: bob.id }),
  'POST /admin/set-user-password': ({ bob }) => ({ userId: bob.id, newPassword }),
  'POST /admin/remove-user': ({ bob }) => ({ userId: bob.id }),
  'POST /admin/impersonate-user': ({ bob }) => ({ userId: bob.id }),
  'POST /admin/revoke-user-sessions': ({ bob }) => ({ userId: bob.id }),
  'POST /admin/delete-organization': ({ organizationId }) => ({ organizationId }),
}

describe('a call whose session is revoked between its authentication and its transaction', () => {
  test.each(Object.entries(bodies))('%s writes nothing', async (name, body) => {
    const arranged = await arrange()
    const { app, pause, thief, user } = arranged
    const { id: userId } = await user()
    let after = ''
    pause.interrupt = async () => {
      await revokeSessions(app, { userId })
      after = await rowsOf(app)
    }
    const [route = ''] = name.split(',')
    const answer = await thief.call(route as 'POST /update-user', { body: body(arranged) })
    expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(await rowsOf(app)).toBe(after)
  })

  test('GET /one-time-token/generate creates no token', async () => {
    const { app, pause, thief, user } = await arrange()
    const { id: userId } = await user()
    pause.interrupt = async () => void (await revokeSessions(app, { userId }))
    expect((await thief.call('GET /one-time-token/generate', {})).status).toBe(401)
    expect(await app.db.selectFrom('verification').selectAll().execute()).toEqual([])
  })
})

test('a password that must be replaced is not replaced by a call that verified it before', async () => {
  const { app, pause, thief, user } = await arrange()
  pause.interrupt = async () => requireNewPassword(app, (await user()).id)
  const body = { currentPassword: ann.password, newPassword: ann.password }
  const { status, body: rejected } = await thief.call('POST /change-password', { body })
  expect([status, rejected.code]).toEqual([400, 'INVALID_PASSWORD'])
})

test('an API key that is disabled meanwhile writes nothing', async () => {
  const { app, pause, thief, browser, keyId } = await arrange()
  const { key } = (await thief.call('POST /api-key/create', { body: {} })).body
  pause.interrupt = async () => {
    const others = app.db.updateTable('apikey').set({ enabled: false }).where('id', '!=', keyId)
    await others.execute()
  }
  const body = { name: 'Beta', slug: 'beta' }
  const { status } = await browser().call('POST /organization/create', { body }, { 'x-api-key': key })
  expect(status).toBe(401)
})

test('a new password ends the calls that are under way, and the call that sets it finishes', async () => {
  const { app, pause, thief, user } = await arrange()
  const changed = await thief.call('POST /change-password', {
    body: { currentPassword: ann.password, newPassword, revokeOtherSessions: true },
  })
  expect(changed.status).toBe(200)
  pause.interrupt = async () => void (await setPasswordForUser(app, await user(), ann.password))
  expect((await thief.call('POST /update-user', { body: { name: 'Thief' } })).status).toBe(401)
})
