/**
 * Every write that may succeed only once, in 64 concurrent HTTP requests: one succeeds, the others are rejected in
 * with the errors of the contract, no call fails, and the rows look as after one call. Also on two daemons, with a database server.
 */
import { describe, expect, inject, test } from 'vitest'
import { refusal } from '../../src/core/errors.ts'
import { afterCommit } from '../../src/core/transaction.ts'
import { type ConfigFile, featureList } from '../../src/features/index.ts'
import { seed } from '../../src/features/setup/index.ts'
import { claimToken } from '../../src/features/verifications/index.ts'
import { latchkeyJSON } from '../cli/kit.ts'
import { places as installations, serve } from '../cli/projects.ts'
import type { Browser } from '../kit/browser.ts'
import { captureMails } from '../kit/mails.ts'
import { expectOneWinner, many, openRacers, places, type Racers, race, tally } from '../kit/race.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const newPassword = 'another horse entirely'

type Table = 'user' | 'account' | 'session' | 'verification'
const rows = ({ app }: Pick<Racers, 'app'>, table: Table) => app.db.selectFrom(table).selectAll().execute()
const numbers = async (kit: Pick<Racers, 'app'>, ...tables: Table[]) =>
  Promise.all(tables.map(async (table) => (await rows(kit, table)).length))

const signIn = (browser: Browser, password: string, email = ann.email) =>
  browser.call('POST /sign-in/email', { body: { email, password } })
const signUp = (browser: Browser, body: object = {}) => browser.call('POST /sign-up/email', { body: { ...ann, ...body } })
const getSession = (browser: Browser) => browser.call('GET /get-session', {})

describe.each(places)('at %s', (place) => {
  const open = (config: ConfigFile = {}) => openRacers(place, config)

  async function withAnn(config: ConfigFile = {}) {
    const kit = await open(config)
    const visitor = kit.browser()
    const { body } = await signUp(visitor)
    return { ...kit, visitor, userId: String(body.user?.id) }
  }

  /** As many users as there are calls, each signed in. */
  async function withUsers(config: ConfigFile) {
    const kit = await open(config)
    const visitors = kit.browsers()
    const answers = await race(visitors, (browser, person) => signUp(browser, { email: `p${person}@example.com` }))
    expect(tally(answers)).toEqual({ 200: many })
    return { ...kit, visitors }
  }

  describe('an email address has one owner', () => {
    test.each([
      ['of one address', [ann.email]],
      ['of two cases of one address', ['Ann@Example.com', 'aNN@example.COM']],
    ])('when 64 sign up %s', async (_, emails) => {
      const kit = await open()
      const answers = await race(kit.browsers(), (browser, count) => signUp(browser, { email: emails[count % emails.length] }))
      expect(tally(answers)).toEqual({ 200: 1, '422 USER_ALREADY_EXISTS': many - 1 })
      expect(await numbers(kit, 'user', 'account', 'session')).toEqual([1, 1, 1])
      expect((await rows(kit, 'user'))[0]?.email).toBe(ann.email)
    })

    test('when 64 sign up with antiEnumeration: all get the same response', async () => {
      const mails = captureMails()
      const kit = await open({
        emailAndPassword: { enabled: true, requireEmailVerification: true, antiEnumeration: true },
        emailVerification: { sendVerificationEmail: mails.send },
      })
      const answers = await race(kit.browsers(), (browser) => signUp(browser))
      expect(tally(answers)).toEqual({ 200: many })
      expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(many)
      expect(await numbers(kit, 'user', 'account', 'session')).toEqual([1, 1, 0])
      await mails.next()
      expect(mails.sent).toHaveLength(1)
    })

    test('when 64 users change theirs to it', async () => {
      const kit = await withUsers({ user: { changeEmail: { enabled: true } } })
      const answers = await race(kit.visitors, (browser, count) =>
        browser.call('POST /change-email', { body: { newEmail: count % 2 ? 'Wanted@Example.com' : 'wanted@example.com' } }),
      )
      expect(tally(answers)).toEqual({ 200: 1, '400 COULDNT_UPDATE_YOUR_EMAIL': many - 1 })
      expect((await rows(kit, 'user')).filter(({ email }) => email === 'wanted@example.com')).toHaveLength(1)
      expect(await numbers(kit, 'user')).toEqual([many])
    })

    test('when one user signs up with it while others change theirs to it', async () => {
      const kit = await withUsers({ user: { changeEmail: { enabled: true } } })
      const answers = await race(kit.visitors, (browser, count) =>
        count % 2
          ? browser.call('POST /change-email', { body: { newEmail: ann.email } })
          : kit.browser().call('POST /sign-up/email', { body: ann }),
      )
      expectOneWinner(answers, '400 COULDNT_UPDATE_YOUR_EMAIL', '422 USER_ALREADY_EXISTS')
      expect((await rows(kit, 'user')).filter(({ email }) => email === ann.email)).toHaveLength(1)
    })
  })

  describe('a unique field has one owner', () => {
    const unique: ConfigFile = { user: { additionalFields: { badge: { type: 'string', unique: true, required: false } } } }

    test('when 64 users set it', async () => {
      const kit = await withUsers(unique)
      const answers = await race(kit.visitors, (browser) => browser.call('POST /update-user', { body: { badge: 'B1' } as never }))
      expect(tally(answers)).toEqual({ 200: 1, '422 FAILED_TO_UPDATE_USER': many - 1 })
      expect((await rows(kit, 'user')).filter((user) => Reflect.get(user, 'badge') === 'B1')).toHaveLength(1)
    })

    test('when 64 sign up with it', async () => {
      const kit = await open(unique)
      const answers = await race(kit.browsers(), (browser, person) =>
        signUp(browser, { email: `p${person}@example.com`, badge: 'B1' }),
      )
      expect(tally(answers)).toEqual({ 200: 1, '422 FAILED_TO_CREATE_USER': many - 1 })
      expect(await numbers(kit, 'user', 'account', 'session')).toEqual([1, 1, 1])
    })
  })

  describe('a link works once', () => {
    test('to reset a password; all other links of the user end', async () => {
      const mails = captureMails()
      const kit = await withAnn({ emailAndPassword: { enabled: true, sendResetPassword: mails.send } })
      const request = async () => {
        await kit.browser().call('POST /request-password-reset', { body: { email: ann.email } })
        return (await mails.next()).token
      }
      const [token, other] = [await request(), await request()]
      const reset = (browser: Browser, given: string, password: string) =>
        browser.call('POST /reset-password', { body: { token: given, newPassword: password } })
      const answers = await race(kit.browsers(), (browser, use) => reset(browser, token, `${newPassword} ${use}`))
      expect(tally(answers)).toEqual({ 200: 1, '400 INVALID_TOKEN': many - 1 })
      const won = answers.findIndex(({ status }) => status === 200)
      expect((await signIn(kit.browser(), `${newPassword} ${won}`)).status).toBe(200)
      expect((await getSession(kit.visitor)).body).toBeNull()
      expect(await numbers(kit, 'account', 'verification')).toEqual([1, 0])
      expect((await reset(kit.browser(), other, newPassword)).body.code).toBe('INVALID_TOKEN')
    })

    test('to reset a password with one of 64 links', async () => {
      const mails = captureMails()
      const kit = await withAnn({ emailAndPassword: { enabled: true, sendResetPassword: mails.send } })
      const tokens: string[] = []
      for (const browser of kit.browsers()) {
        await browser.call('POST /request-password-reset', { body: { email: ann.email } })
        tokens.push((await mails.next()).token)
      }
      const answers = await race(kit.browsers(), (browser, use) =>
        browser.call('POST /reset-password', { body: { token: tokens[use], newPassword: `${newPassword} ${use}` } }),
      )
      expect(tally(answers)).toEqual({ 200: 1, '400 INVALID_TOKEN': many - 1 })
      const won = answers.findIndex(({ status }) => status === 200)
      expect((await signIn(kit.browser(), `${newPassword} ${won}`)).status).toBe(200)
      expect(await numbers(kit, 'verification')).toEqual([0])
    })

    async function verifying(config: ConfigFile = {}) {
      const mails = captureMails()
      const called: string[] = []
      const kit = await open({
        ...config,
        emailAndPassword: { enabled: true, autoSignIn: false },
        emailVerification: {
          sendVerificationEmail: mails.send,
          sendOnSignUp: true,
          autoSignInAfterVerification: true,
          onEmailVerification: (user) => void called.push(user.id),
          ...config.emailVerification,
        },
      })
      await signUp(kit.browser())
      const { token } = await mails.next()
      const follow = (browser: Browser) => browser.call('GET /verify-email', { query: { token } })
      const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
      return { ...kit, token, called, follow, name: String(jti) }
    }

    test('to verify an email: all get the same response, and one signs in', async () => {
      const kit = await verifying()
      const answers = await race(kit.browsers(), kit.follow)
      expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(
        new Set(['[200,{"status":true,"user":null}]']),
      )
      expect(answers.filter(({ setCookie }) => setCookie.length > 0)).toHaveLength(1)
      expect(kit.called).toHaveLength(1)
      expect(await numbers(kit, 'session')).toEqual([1])
      expect((await rows(kit, 'user'))[0]?.emailVerified).toBe(true)
    })

    test('to verify an email and replace all access: one sets the password and signs in', async () => {
      const kit = await verifying()
      const { token } = kit
      const answers = await race(kit.browsers(), (browser, count) =>
        browser.call('POST /verify-email/with-new-password', { body: { token, newPassword: `${newPassword} ${count}` } }),
      )
      expect(tally(answers)).toEqual({ 200: 1, '401 INVALID_TOKEN': many - 1 })
      const winner = answers.findIndex(({ status }) => status === 200)
      expect(answers.filter(({ setCookie }) => setCookie.length > 0)).toHaveLength(1)
      expect(await numbers(kit, 'account', 'session')).toEqual([1, 1])
      expect((await signIn(kit.browser(), `${newPassword} ${winner}`)).status).toBe(200)
      expect((await signIn(kit.browser(), ann.password)).status).toBe(401)
    })

    test('to verify an email, also when the first uses fail', async () => {
      let left = 8
      const onEmailVerification = () => {
        left -= 1
        if (left >= 0) throw refusal({ status: 400, message: 'Not yet' })
      }
      const kit = await verifying({ emailVerification: { onEmailVerification } })
      const used: string[] = []
      for (let round = 0; round < 9; round += 1) {
        for (const outcome of Object.keys(tally(await race(kit.browsers(), kit.follow)))) used.push(outcome)
      }
      expect(new Set(used)).toEqual(new Set(['200', '400 NOT_YET']))
      expect(await numbers(kit, 'session')).toEqual([1])
      expect((await rows(kit, 'user'))[0]?.emailVerified).toBe(true)
    })

    test('to verify an email, also when a process has died using it', async () => {
      const kit = await verifying()
      expect(await claimToken(kit.app, kit.name)).toBe(true)
      kit.clock.advance(61)
      expect(tally(await race(kit.browsers(), kit.follow))).toEqual({ 200: many })
      expect(kit.called).toHaveLength(1)
      expect(await numbers(kit, 'session', 'verification')).toEqual([1, 1])
      expect((await rows(kit, 'user'))[0]?.emailVerified).toBe(true)
    })

    test('to change an email address: the new one gets one mail', async () => {
      const [verifications, changes] = [captureMails(), captureMails()]
      const kit = await withAnn({
        emailVerification: { sendVerificationEmail: verifications.send },
        user: { changeEmail: { enabled: true, sendChangeEmailVerification: changes.send } },
      })
      await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
      await kit.visitor.call('POST /change-email', { body: { newEmail: 'anna@example.com' } })
      const { token } = await changes.next()
      const answers = await race(kit.browsers(kit.visitor), (browser) => browser.call('GET /verify-email', { query: { token } }))
      const { 200: done = 0, '401 USER_NOT_FOUND': late = 0 } = tally(answers)
      expect([done > 0, done + late]).toEqual([true, many])
      await verifications.next()
      expect(verifications.sent).toHaveLength(1)
      expect(await rows(kit, 'user')).toMatchObject([{ email: 'anna@example.com', emailVerified: false }])
    })

    test('to delete an account, as a link or as a token', async () => {
      const mails = captureMails()
      const deleted: string[] = []
      const deleteUser = {
        enabled: true,
        sendDeleteAccountVerification: mails.send,
        afterDelete: (user: { id: string }) => void deleted.push(user.id),
      }
      const kit = await withAnn({ user: { deleteUser } })
      await kit.visitor.call('POST /delete-user', { body: {} })
      const { token } = await mails.next()
      const answers = await race(kit.browsers(kit.visitor), (browser, use) =>
        use % 2
          ? browser.call('GET /delete-user/callback', { query: { token } })
          : browser.call('POST /delete-user', { body: { token } }),
      )
      expectOneWinner(answers, '404 INVALID_TOKEN', '404 FAILED_TO_GET_USER_INFO', '401 UNAUTHORIZED')
      expect(deleted).toEqual([kit.userId])
      expect(await numbers(kit, 'user', 'account', 'session', 'verification')).toEqual([0, 0, 0, 0])
    })

    test('to set a first password', async () => {
      const kit = await open({ seed: { roles: { admin: {} }, admins: [{ email: ann.email, name: 'Ann' }] } })
      const [made] = await seed(kit.app, { dryRun: false, prune: false, readSecret: () => undefined })
      const token = new URL(made?.setupLink ?? '').searchParams.get('token') ?? ''
      const answers = await race(kit.browsers(), (browser, use) =>
        browser.call('POST /set-up', { body: { token, newPassword: `${newPassword} ${use}` } }),
      )
      expect(tally(answers)).toEqual({ 200: 1, '400 INVALID_TOKEN': many - 1 })
      const won = answers.findIndex(({ status }) => status === 200)
      expect((await signIn(kit.browser(), `${newPassword} ${won}`)).status).toBe(200)
      expect(await numbers(kit, 'account', 'verification')).toEqual([1, 0])
    })
  })

  describe('an account', () => {
    // Once the account is deleted, later requests find no password either.
    const withoutAccount = ['400 INVALID_PASSWORD', '400 CREDENTIAL_ACCOUNT_NOT_FOUND']
    test.each([
      [{}, []],
      [{ password: ann.password }, withoutAccount],
    ])('is deleted once, by %j', async (body, losers) => {
      const deleted: string[] = []
      const kit = await withAnn({ user: { deleteUser: { enabled: true, afterDelete: (user) => void deleted.push(user.id) } } })
      const answers = await race(kit.browsers(kit.visitor), (browser) => browser.call('POST /delete-user', { body }))
      expectOneWinner(answers, '401 UNAUTHORIZED', ...losers)
      expect(deleted).toEqual([kit.userId])
      expect(await numbers(kit, 'user', 'account', 'session')).toEqual([0, 0, 0])
    })

    async function withAccounts() {
      const kit = await withAnn()
      for (const [position, providerId] of ['github', 'google'].entries()) {
        const at = new Date(kit.clock.now().getTime() + (position + 1) * 1000)
        const row = { id: kit.app.random.id(), providerId, accountId: '7', userId: kit.userId, createdAt: at, updatedAt: at }
        await kit.app.db.insertInto('account').values(row).execute()
      }
      const unlink = (providers: readonly string[]) =>
        race(kit.browsers(kit.visitor), (browser, count) =>
          browser.call('POST /unlink-account', { body: { providerId: providers[count % providers.length] ?? '' } }),
        )
      return { ...kit, unlink }
    }
    const left = async (kit: Racers) => (await rows(kit, 'account')).map(({ providerId }) => providerId).sort()

    test('linked to a provider is unlinked once', async () => {
      const kit = await withAccounts()
      expect(tally(await kit.unlink(['github']))).toEqual({ 200: 1, '400 ACCOUNT_NOT_FOUND': many - 1 })
      expect(await left(kit)).toEqual(['credential', 'google'])
    })

    test('stays as the last sign-in method, whichever are unlinked together', async () => {
      const kit = await withAccounts()
      const { 200: done, ...others } = tally(await kit.unlink(['credential', 'github', 'google']))
      expect(done).toBe(2)
      for (const outcome of Object.keys(others))
        expect(['400 YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT', '400 ACCOUNT_NOT_FOUND']).toContain(outcome)
      expect(await left(kit)).toHaveLength(1)
    })

    test('stays when there are two and both are unlinked together', async () => {
      const kit = await withAccounts()
      await kit.app.db.deleteFrom('account').where('providerId', '=', 'google').execute()
      const answers = await kit.unlink(['credential', 'github'])
      expect(tally(answers)).toEqual({ 200: 1, '400 YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT': many - 1 })
      expect(await left(kit)).toHaveLength(1)
    })
  })

  describe('a password', () => {
    test.each([false, true])('is changed by one of 64 requests with the current one (revoking sessions: %s)', async (revokes) => {
      const kit = await withAnn()
      const answers = await race(kit.browsers(kit.visitor), (browser, call) =>
        browser.call('POST /change-password', {
          body: { currentPassword: ann.password, newPassword: `${newPassword} ${call}`, revokeOtherSessions: revokes },
        }),
      )
      const won = expectOneWinner(answers, '400 INVALID_PASSWORD', ...(revokes ? ['401 UNAUTHORIZED'] : []))
      expect(await numbers(kit, 'account', 'session')).toEqual([1, 1])
      expect((await signIn(kit.browser(), `${newPassword} ${won}`)).status).toBe(200)
    })
  })

  describe('a session', () => {
    /** Ann with two sessions, and every emitted end of a session. */
    async function withSessions(session: ConfigFile['session'] = {}) {
      const ended: string[] = []
      const listening = {
        on: {
          'sessions.revoked': (app: Racers['app'], { sessionIds }: { sessionIds: readonly string[] }) =>
            afterCommit(app, async () => void ended.push(...sessionIds)),
        },
      }
      const kit = await openRacers(place, { session }, { features: { ...featureList, listening } })
      const [here, there] = [kit.browser(), kit.browser()]
      await signUp(here)
      await signIn(there, ann.password)
      const { session: other } = (await getSession(there)).body
      return { ...kit, here, there, ended, handle: String(other.id) }
    }

    test('is revoked by one of 64 requests', async () => {
      const kit = await withSessions()
      const answers = await race(kit.browsers(kit.here), (browser) =>
        browser.call('POST /revoke-session', { body: { token: kit.handle } }),
      )
      expect(tally(answers)).toEqual({ 200: 1, '400 SESSION_NOT_FOUND': many - 1 })
      expect(kit.ended).toEqual([kit.handle])
      expect([await numbers(kit, 'session'), (await getSession(kit.there)).body]).toEqual([[1], null])
    })

    test('is revoked once by 64 sign-outs, which all succeed', async () => {
      const kit = await withSessions()
      const answers = await race(kit.browsers(kit.there), (browser) => browser.call('POST /sign-out', {}))
      expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(
        new Set(['[200,{"success":true}]']),
      )
      expect(kit.ended).toEqual([kit.handle])
      expect((await getSession(kit.here)).body).not.toBeNull()
      expect(await numbers(kit, 'session')).toEqual([1])
    })

    test.each(['POST /revoke-session', 'POST /revoke-other-sessions', 'POST /sign-out'] as const)(
      'that is renewed with each use stays revoked after %s',
      async (key) => {
        const kit = await withSessions({ updateAge: 0, cookieCache: { enabled: true } })
        const [ending] = kit.browsers(key === 'POST /sign-out' ? kit.there : kit.here)
        const users = kit.browsers(kit.there)
        const answers = await race(users, async (browser, count) => {
          if (count === many / 2) return (ending ?? browser).call(key, { body: { token: kit.handle } })
          kit.clock.advance(1)
          return count % 2 ? getSession(browser) : browser.call('GET /list-sessions', {})
        })
        expect(Object.keys(tally(answers)).filter((outcome) => outcome !== '200' && outcome !== '401 UNAUTHORIZED')).toEqual([])
        expect(answers[many / 2]?.status).toBe(200)
        expect((await rows(kit, 'session')).map(({ id }) => id)).not.toContain(kit.handle)
        const after = await race([...users, ...kit.browsers(kit.there)], getSession)
        expect(new Set(after.map(({ body }) => JSON.stringify(body)))).toEqual(new Set(['null']))
        expect((await getSession(kit.here)).body).not.toBeNull()
      },
    )

    test('is not created by a password that is being changed', async () => {
      const mails = captureMails()
      const kit = await withAnn({ emailAndPassword: { enabled: true, sendResetPassword: mails.send } })
      await kit.browser().call('POST /request-password-reset', { body: { email: ann.email } })
      const { token } = await mails.next()
      const browsers = kit.browsers()
      const answers = await race(browsers, (browser, count) =>
        count === many / 2
          ? browser.call('POST /reset-password', { body: { token, newPassword } })
          : signIn(browser, ann.password),
      )
      const expected = ['200', '401 INVALID_EMAIL_OR_PASSWORD', '401 FAILED_TO_CREATE_SESSION']
      expect(Object.keys(tally(answers)).filter((outcome) => !expected.includes(outcome))).toEqual([])
      expect(answers[many / 2]?.status).toBe(200)
      expect(await numbers(kit, 'session')).toEqual([0])
      const after = await race([...browsers, kit.visitor], getSession)
      expect(new Set(after.map(({ body }) => JSON.stringify(body)))).toEqual(new Set(['null']))
    })

    test.each([
      ['replaced', '/change-password', { currentPassword: ann.password, newPassword }],
      ['taken away', '/unlink-account', { providerId: 'credential' }],
    ])('is not created by a password that was %s after its verification', async (_, path, body) => {
      let interfere = async () => {}
      const before = async () => {
        await interfere()
        return undefined
      }
      const kit = await withAnn({
        databaseHooks: { session: { create: { before } } },
        account: { accountLinking: { allowUnlinkingAll: true } },
      })
      interfere = async () => {
        // The sign-in is tried once more, and calls its hook again.
        interfere = async () => {}
        const answer = await kit.visitor.request(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        expect(answer.status).toBe(200)
      }
      const late = kit.browser()
      const answer = await signIn(late, ann.password)
      expect([answer.status, answer.body.code, answer.setCookie]).toEqual([401, 'FAILED_TO_CREATE_SESSION', []])
      expect(await numbers(kit, 'session')).toEqual([1])
    })

    test('is not created for a user who is being deleted', async () => {
      const kit = await withAnn({ user: { deleteUser: { enabled: true } } })
      const answers = await race(kit.browsers(), (browser, count) =>
        count === many / 2 ? kit.visitor.call('POST /delete-user', { body: {} }) : signIn(browser, ann.password),
      )
      const outcome = Object.keys(tally(answers))
      const expected = ['200', '401 INVALID_EMAIL_OR_PASSWORD', '401 FAILED_TO_CREATE_SESSION']
      expect(outcome.filter((one) => !expected.includes(one))).toEqual([])
      expect(answers[many / 2]?.status).toBe(200)
      expect(await numbers(kit, 'user', 'account', 'session')).toEqual([0, 0, 0])
    })
  })
})

describe('processes of the command line', () => {
  const kind = inject('servers') === null ? 'SQLite' : 'a server'

  test(`create one user per email address, whichever is first (${kind})`, { timeout: 120_000 }, async () => {
    const config = {
      emailAndPassword: { enabled: true },
      seed: { roles: { admin: {} }, admins: [{ email: 'Ann@Example.com', name: 'Ann' }] },
    }
    const project = await installations[kind](config)
    const create = ['users', 'create', '--email', 'aNN@example.com', '--name', 'Ann']
    const runs = await Promise.all(
      [create, ['seed'], create, ['seed'], create, ['seed']].map((args) => latchkeyJSON(project.cwd, args, project.env)),
    )
    const created = runs.filter(({ document }) => document.schema === 'users-create/v1')
    const seeded = runs.filter(({ document }) => document.schema === 'seed/v1')
    expect(seeded.map(({ exitCode, stderr }) => [exitCode, stderr.includes('✗')])).toEqual(seeded.map(() => [0, false]))
    expect(created.length + runs.filter(({ document }) => document.code === 'USER_ALREADY_EXISTS').length).toBe(3)
    expect(seeded).toHaveLength(3)
    const { app } = await serve(project, config)
    expect(await numbers({ app }, 'user', 'verification')).toEqual([1, 1])
    expect(runs.filter(({ stdout }) => stdout.includes('token='))).toHaveLength(1)
  })
})
