/** The functions of the configuration in the names of `@better-auth/passkey` 1.7 (contract 12 §1, §3). */
import { describe, expect, test, vi } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { type Authenticator, createAuthenticator } from '../../../tests/kit/authenticator.ts'
import { type Answer, type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { refusal } from '../../index.ts'
import type { ConfigFile } from '../index.ts'
import type { RegistrationUser } from './function-options.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const bob = { ...ann, name: 'Bob', email: 'bob@example.com' }
type Options = Exclude<NonNullable<ConfigFile['passkey']>, boolean>
type Registration = NonNullable<Options['registration']>

const outcome = ({ status, body }: Answer) => [status, body?.code].filter(Boolean).join(' ')

async function arrive(passkey: Options, config: ConfigFile = {}) {
  const mails = captureMails<{ text: string }>()
  const mail = { send: mails.send as never, from: 'acme@example.com' }
  const kit = await testApp({ passkey: { enabled: true, ...passkey }, mail, ...config })
  const signUp = async (user = ann) => {
    const visitor = kit.browser()
    const { body } = await visitor.call('POST /sign-up/email', { body: user })
    return { visitor, id: String(body.user.id) }
  }
  const options = (visitor: Browser, query: object = {}) => visitor.call('GET /passkey/generate-register-options', { query })
  const verify = (visitor: Browser, response: object, more: object = {}) =>
    visitor.call('POST /passkey/verify-registration', { body: { response: { ...response }, ...more } })
  const add = async (visitor: Browser, { device = createAuthenticator(), query = {}, ...more }: Added = {}) =>
    verify(visitor, device.create((await options(visitor, query)).body), more)
  const signIn = async (device: Authenticator, visitor = kit.browser()) => {
    const { body } = await visitor.call('GET /passkey/generate-authenticate-options', {})
    return visitor.call('POST /passkey/verify-authentication', { body: { response: { ...device.get(body) } } })
  }
  const passkeys = () => kit.app.db.selectFrom('passkey').select(['userId', 'name', 'credentialID']).execute()
  return { ...kit, mails, signUp, options, verify, add, signIn, passkeys }
}
interface Added {
  readonly device?: Authenticator
  readonly query?: object
  readonly name?: string
  readonly createSession?: boolean
}

/** An application that knows users by what the client sends as context. */
async function withApplication(registration: Registration = {}, config: ConfigFile = {}, more: Options = {}) {
  const known = new Map<string, RegistrationUser>()
  const resolveUser = vi.fn<NonNullable<Registration['resolveUser']>>(({ context }) => known.get(context ?? '') ?? null)
  const kit = await arrive({ registration: { requireSession: false, resolveUser, ...registration }, ...more }, config)
  const owner = await kit.signUp()
  known.set('ann', { id: owner.id, name: ann.email, displayName: 'Ann of Acme' })
  return { ...kit, known, resolveUser, owner }
}

const query = { context: 'ann' }

describe('a registration without a session', () => {
  test('is for the user whom the application names, and signs them in when that is asked for', async () => {
    const { browser, options, verify, resolveUser, owner, signIn, passkeys } = await withApplication()
    const visitor = browser()
    const { body } = await options(visitor, query)
    expect(body.user).toMatchObject({ name: ann.email, displayName: 'Ann of Acme' })
    expect(JSON.stringify([body, ...visitor.cookies.values()])).not.toContain(owner.id)
    const device = createAuthenticator()
    const added = await verify(visitor, device.create(body), { name: 'Phone', createSession: true })
    expect(added.body).toMatchObject({ userId: owner.id, name: 'Phone', user: { email: ann.email } })
    expect([await nameOf(visitor), (await signIn(device)).status]).toEqual(['Ann', 200])
    expect(await passkeys()).toMatchObject([{ userId: owner.id, name: 'Phone' }])
    const ctx = { method: 'GET', path: '/passkey/generate-register-options', query }
    expect(resolveUser.mock.calls).toEqual([[{ ctx: expect.objectContaining(ctx), context: 'ann' }]])
  })

  test('gives no session unless that is asked for', async () => {
    const { browser, add } = await withApplication()
    const visitor = browser()
    expect((await add(visitor, { query })).body.session).toBeUndefined()
    expect(await nameOf(visitor)).toBeNull()
  })

  test('with a session, is for its user, and does not ask the application', async () => {
    const { add, signUp, resolveUser } = await withApplication()
    const { visitor, id } = await signUp(bob)
    expect((await add(visitor, { query })).body.userId).toBe(id)
    expect(resolveUser).not.toHaveBeenCalled()
  })

  test.each([
    ['returns nothing', () => undefined, '401 SESSION_REQUIRED'],
    ['returns null', () => null, '401 SESSION_REQUIRED'],
    ['returns no name', () => ({ id: 'x' }) as never, '400 RESOLVED_USER_INVALID'],
    ['returns no id', () => ({ id: '', name: 'x' }), '400 RESOLVED_USER_INVALID'],
    ['returns an id that no user can have', () => ({ id: 'a b', name: 'x' }), '400 RESOLVED_USER_INVALID'],
    ['returns more than a cookie can carry', () => ({ id: 'x', name: '日'.repeat(255), displayName: '日'.repeat(255) })],
    ['throws', () => Promise.reject(new Error('planted')), '500 INTERNAL_SERVER_ERROR'],
    ['rejects', () => Promise.reject(refusal({ status: 403, message: 'Link expired' })), '403 LINK_EXPIRED'],
  ])('is rejected when the application %s', async (_, resolveUser, expected = '400 RESOLVED_USER_INVALID') => {
    const { browser, options, verify, passkeys } = await withApplication({ resolveUser: resolveUser as never })
    const visitor = browser()
    const context = 'x'.repeat(1024)
    expect(outcome(await options(visitor, { context }))).toBe(expected)
    expect(outcome(await verify(visitor, {}))).toBe('400 CHALLENGE_NOT_FOUND')
    expect(await passkeys()).toEqual([])
  })

  test('is bound to the user, the browser and one use', async () => {
    const { browser, options, verify, signUp, known, passkeys } = await withApplication()
    const other = await signUp(bob)
    known.set('bob', { id: other.id, name: bob.email })
    const [here, there] = [browser(), browser()]
    const { body } = await options(here, query)
    const response = createAuthenticator().create(body)
    expect(outcome(await verify(browser(), response))).toBe('400 CHALLENGE_NOT_FOUND')
    await options(there, { context: 'bob' })
    expect(outcome(await verify(there, response))).toBe('400 FAILED_TO_VERIFY_REGISTRATION')
    const cookie = [...here.cookies].find(([name]) => name.endsWith('better-auth-passkey'))
    other.visitor.cookies.set(...(cookie ?? ['', '']))
    expect(outcome(await verify(other.visitor, response))).toBe('401 YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY')
    const own = other.visitor.cookies
    await options(other.visitor)
    own.delete('latchkey.session_token')
    expect(outcome(await verify(other.visitor, response))).toBe('401 SESSION_REQUIRED')
    expect(outcome(await verify(here, response))).toBe('200')
    here.cookies.set(...(cookie ?? ['', '']))
    expect(outcome(await verify(here, createAuthenticator().create(body)))).toBe('400 CHALLENGE_NOT_FOUND')
    expect(await passkeys()).toHaveLength(1)
  })

  test('does not lead around a passkey or a second factor that the user has, also one that came since', async () => {
    const { browser, options, verify, add, owner, app, passkeys } = await withApplication({}, { twoFactor: true })
    const visitor = browser()
    const early = createAuthenticator().create((await options(visitor, query)).body)
    expect((await add(owner.visitor)).status).toBe(200)
    expect(outcome(await verify(visitor, early))).toBe('401 SESSION_REQUIRED')
    expect(outcome(await options(browser(), query))).toBe('401 SESSION_REQUIRED')
    await app.db.deleteFrom('passkey').execute()
    await app.db.updateTable('user').set({ twoFactorEnabled: true }).execute()
    expect(outcome(await options(browser(), query))).toBe('401 SESSION_REQUIRED')
    expect(await passkeys()).toEqual([])
  })

  test('is rejected for a user who is banned, and for one whom no one has created', async () => {
    const { browser, add, known, app, passkeys } = await withApplication({}, { admin: true })
    known.set('absent', { id: 'absent', name: 'Absent' })
    expect(outcome(await add(browser(), { query: { context: 'absent' } }))).toBe('400 RESOLVED_USER_INVALID')
    await app.db.updateTable('user').set({ banned: true }).execute()
    expect(outcome(await add(browser(), { query }))).toBe('403 BANNED_USER')
    expect(await passkeys()).toEqual([])
  })

  test('needs the function of the daemon that verifies it, too', async () => {
    const { browser, options, another } = await withApplication()
    const visitor = browser()
    const response = { ...createAuthenticator().create((await options(visitor, query)).body) }
    const strict = (await another({ passkey: true })).browser()
    for (const [name, value] of visitor.cookies) strict.cookies.set(name, value)
    const answer = await strict.call('POST /passkey/verify-registration', { body: { response } })
    expect(outcome(answer)).toBe('401 UNAUTHORIZED')
  })

  test('is not without a dialog', async () => {
    const { browser, options, verify } = await withApplication()
    const visitor = browser()
    const response = createAuthenticator().create((await options(visitor, query)).body, { userPresent: false })
    expect(outcome(await verify(visitor, response))).toBe('400 FAILED_TO_VERIFY_REGISTRATION')
  })
})

describe('registration.afterVerification', () => {
  const spy = () => vi.fn<NonNullable<Registration['afterVerification']>>()

  test('gets what was verified, and names the passkey when the client has not', async () => {
    const afterVerification = spy().mockReturnValue({ name: '  Company key  ' })
    const { signUp, add, passkeys } = await arrive({ registration: { afterVerification } })
    const { visitor, id } = await signUp()
    const device = createAuthenticator()
    expect((await add(visitor, { device })).body.name).toBe('Company key')
    expect(afterVerification.mock.calls).toEqual([
      [
        {
          ctx: expect.objectContaining({ path: '/passkey/verify-registration' }),
          verification: {
            verified: true,
            registrationInfo: expect.objectContaining({
              credential: expect.objectContaining({ id: device.id }),
              userVerified: true,
            }),
          },
          user: { id, name: ann.email, displayName: ann.email },
          clientData: expect.objectContaining({ id: device.id }),
          context: null,
        },
      ],
    ])
    await add(visitor, { name: 'Mine' })
    expect((await passkeys()).map(({ name }) => name).toSorted()).toEqual(['Company key', 'Mine'])
  })

  test.each([
    ['an error', new Error('planted'), '500 INTERNAL_SERVER_ERROR'],
    ['a refusal', refusal({ status: 403, message: 'Not this model' }), '403 NOT_THIS_MODEL'],
  ])('rejects by %s, and is asked once for a challenge', async (_, error, expected) => {
    const afterVerification = spy().mockRejectedValue(error)
    const { signUp, options, verify, passkeys } = await arrive({ registration: { afterVerification } })
    const { visitor } = await signUp()
    const response = createAuthenticator().create((await options(visitor)).body)
    const cookies = new Map(visitor.cookies)
    expect(outcome(await verify(visitor, response))).toBe(expected)
    for (const [name, value] of cookies) visitor.cookies.set(name, value)
    expect(outcome(await verify(visitor, response))).toBe('400 CHALLENGE_NOT_FOUND')
    expect([afterVerification.mock.calls.length, await passkeys()]).toEqual([1, []])
  })

  test('cannot give the passkey of a session to another user, or to one of another kind', async () => {
    const afterVerification = spy()
    const { signUp, add, passkeys } = await arrive({ registration: { afterVerification } })
    const { visitor } = await signUp()
    afterVerification.mockReturnValueOnce({ userId: (await signUp(bob)).id })
    expect(outcome(await add(visitor))).toBe('401 YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY')
    afterVerification.mockReturnValueOnce({ userId: 5 } as never)
    expect(outcome(await add(visitor))).toBe('400 RESOLVED_USER_INVALID')
    expect(await passkeys()).toEqual([])
  })

  test('gives the passkey of no user yet to the one whom it has created, and to no other', async () => {
    const afterVerification = spy()
    const { browser, add, known, signUp, signIn, passkeys } = await withApplication({ afterVerification })
    known.set('new', { id: 'invited-7', name: bob.email })
    const created = await signUp(bob)
    afterVerification.mockReturnValue({ userId: created.id })
    expect(outcome(await add(browser(), { query }))).toBe('401 YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY')
    const device = createAuthenticator()
    const visitor = browser()
    const added = await add(visitor, { device, query: { context: 'new' }, createSession: true })
    expect([added.body.user.email, await nameOf(visitor)]).toEqual([bob.email, 'Bob'])
    expect(afterVerification.mock.lastCall?.[0]).toMatchObject({ user: { id: 'invited-7', name: bob.email }, context: 'new' })
    expect(outcome(await signIn(device))).toBe('200')
    expect(outcome(await add(browser(), { query: { context: 'new' } }))).toBe('401 SESSION_REQUIRED')
    expect(await passkeys()).toHaveLength(1)
  })

  test('gives users whom the application named alike handles of their own', async () => {
    const afterVerification = spy()
    const { browser, add, known, signUp, app } = await withApplication({ afterVerification })
    known.set('new', { id: 'new', name: 'New user' })
    for (const name of ['bob', 'carol']) {
      const { id } = await signUp({ ...bob, name, email: `${name}@example.com` })
      afterVerification.mockReturnValue({ userId: id })
      expect((await add(browser(), { query: { context: 'new' } })).body.userId).toBe(id)
    }
    const handles = await app.db.selectFrom('passkeyUser').select('handle').execute()
    expect(new Set(handles.map(({ handle }) => handle)).size).toBe(2)
  })

  test('is asked about a sign-up with a passkey too, before anything is created', async () => {
    const afterVerification = spy().mockRejectedValueOnce(refusal({ status: 403, message: 'Not this model' }))
    const { browser, options, verify, mails, app } = await arrive({ signUp: true, registration: { afterVerification } })
    const visitor = browser()
    await visitor.call('POST /passkey/sign-up', { body: { email: bob.email, name: bob.name } })
    const otp = /\b\d{6}\b/.exec((await mails.next()).text)?.[0] ?? ''
    const { context } = (await visitor.call('POST /passkey/verify-sign-up', { body: { email: bob.email, otp } })).body
    const attempt = async () => verify(visitor, createAuthenticator().create((await options(visitor, { context })).body))
    expect(outcome(await attempt())).toBe('403 NOT_THIS_MODEL')
    expect(await app.db.selectFrom('user').select('id').execute()).toEqual([])
    const { body } = await attempt()
    expect(afterVerification.mock.lastCall?.[0].user).toEqual({ id: body.userId, name: bob.email, displayName: bob.name })
  })
})

describe('authentication.afterVerification', () => {
  type After = NonNullable<NonNullable<Options['authentication']>['afterVerification']>

  test('gets what was verified, before there is a session', async () => {
    const afterVerification = vi.fn<After>()
    const { signUp, add, signIn } = await arrive({ authentication: { afterVerification } })
    const device = createAuthenticator()
    await add((await signUp()).visitor, { device })
    expect(outcome(await signIn(device))).toBe('200')
    const authenticationInfo = expect.objectContaining({ credentialID: device.id, userVerified: true, newCounter: 0 })
    expect(afterVerification.mock.calls).toEqual([
      [
        {
          ctx: expect.objectContaining({ path: '/passkey/verify-authentication' }),
          verification: { verified: true, authenticationInfo },
          clientData: expect.objectContaining({ id: device.id }),
        },
      ],
    ])
  })

  test.each([
    ['an error', new Error('planted'), '500 INTERNAL_SERVER_ERROR'],
    ['a refusal', refusal({ status: 403, message: 'Not from here' }), '403 NOT_FROM_HERE'],
  ])('rejects by %s, also a second factor, and is asked once for a challenge', async (_, error, expected) => {
    const afterVerification = vi.fn<After>().mockRejectedValue(error)
    const kit = await arrive({ authentication: { afterVerification } }, { twoFactor: true })
    const device = createAuthenticator()
    const { visitor } = await kit.signUp()
    await kit.add(visitor, { device })
    const guest = kit.browser()
    const { body } = await guest.call('GET /passkey/generate-authenticate-options', {})
    const response = { ...device.get(body) }
    const cookies = new Map(guest.cookies)
    const use = () => guest.call('POST /passkey/verify-authentication', { body: { response } })
    expect(outcome(await use())).toBe(expected)
    for (const [name, value] of cookies) guest.cookies.set(name, value)
    expect(outcome(await use())).toBe('400 CHALLENGE_NOT_FOUND')
    expect([afterVerification.mock.calls.length, await nameOf(guest)]).toEqual([1, null])
    const failures = kit.app.db.selectFrom('auditEvent').select('details').where('action', '=', 'sign-in.failed')
    await expect.poll(async () => (await failures.execute()).map(({ details }) => details.reason)).toContain('application')
    expect(outcome(await kit.signIn(device, visitor))).toBe(expected)
  })
})

describe('extensions', () => {
  const read = async (passkey: Options) => {
    const { signUp, options, browser } = await arrive(passkey)
    const registration = await options((await signUp()).visitor)
    const authentication = await browser().call('GET /passkey/generate-authenticate-options', {})
    return { registration, authentication }
  }

  test('of the configuration are in the options, next to our own', async () => {
    const { registration, authentication } = await read({
      registration: { extensions: { minPinLength: true, credProps: false } },
      authentication: { extensions: ({ ctx }) => ({ largeBlob: { read: true }, path: ctx.path }) },
    })
    expect(registration.body.extensions).toEqual({ minPinLength: true, credProps: true })
    expect(authentication.body.extensions).toEqual({
      largeBlob: { read: true },
      path: '/passkey/generate-authenticate-options',
    })
  })

  test('may be left out by the function', async () => {
    const { authentication } = await read({ authentication: { extensions: () => undefined } })
    expect(Object.keys(authentication.body)).not.toContain('extensions')
  })

  test.each([
    ['a list', () => []],
    ['too much', () => ({ x: 'x'.repeat(9000) })],
    ['no object', () => 'x' as never],
  ])('of a function that returns %s fail', async (_, extensions) => {
    const { registration, authentication } = await read({ registration: { extensions }, authentication: { extensions } })
    expect([registration.status, authentication.status]).toEqual([500, 500])
  })
})

describe('the configuration', () => {
  const issuesOf = async (config: ConfigFile) => {
    const message = await testApp(config).then(
      () => '[]',
      (error: Error) => error.message,
    )
    return JSON.parse(message).map(({ id, path }: { id: string; path: string }) => `${id} ${path}`)
  }
  const resolveUser = () => null

  test.each([
    ['no function for registrations without a session', { requireSession: false }, 'resolveUser'],
    ['a function that is never called', { resolveUser }, 'requireSession'],
  ])('rejects %s', async (_, registration, option) => {
    expect(await issuesOf({ passkey: { registration } })).toEqual([`passkey-resolve-user passkey.registration.${option}`])
  })

  test('names the cookie of the challenge in one place', async () => {
    const advanced = { webAuthnChallengeCookie: 'ceremony' }
    const { browser } = await testApp({ passkey: { advanced } })
    const { setCookie } = await browser().call('GET /passkey/generate-authenticate-options', {})
    expect(setCookie).toEqual([expect.stringMatching(/^latchkey\.ceremony=/)])
    const both = { passkey: { advanced }, advanced: { cookies: { 'better-auth-passkey': { name: 'other' } } } }
    expect(await issuesOf(both)).toEqual(['passkey-cookie-name passkey.advanced.webAuthnChallengeCookie'])
  })
})
