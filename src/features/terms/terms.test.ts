/** Terms: accepted at sign-up, demanded at the next sign-in, postponed, declined, and kept after a user is gone. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../../../tests/kit/app.ts'
import { type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { enrol, hasSession } from '../../../tests/kit/second-factor.ts'
import { recordStatements } from '../../../tests/kit/statements.ts'
import type { ConfigFile } from '../index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const credentials = { email: ann.email, password: ann.password }
/** The clock of tests starts in 2026. */
const privacy = { id: 'privacy', version: '1', url: 'https://example.com/privacy/1' }
const day = 86_400

type Terms = Exclude<NonNullable<ConfigFile['terms']>, boolean>
const configOf = (terms: Terms, more: ConfigFile = {}): ConfigFile => ({ ...more, terms: { documents: [privacy], ...terms } })

const signUp = (browser: Browser, terms?: object) =>
  browser.call('POST /sign-up/email', { body: { ...ann, ...(terms && { terms }) } as never })
const signIn = (browser: Browser) => browser.call('POST /sign-in/email', { body: credentials })
const accept = (browser: Browser, terms: Readonly<Record<string, string>>) =>
  browser.call('POST /terms/accept', { body: { terms } })

const acceptances = ({ app }: TestApp) =>
  app.db.selectFrom('termsAcceptance').selectAll().orderBy('acceptedAt').orderBy('document').orderBy('version').execute()
const events = async ({ app }: TestApp) => {
  const rows = app.db.selectFrom('auditEvent').select(['action', 'details', 'userId']).where('action', 'like', 'terms.%')
  return (await rows.orderBy('createdAt').orderBy('id').execute()).map(({ action, details }) => [
    action,
    Object(details).documents,
  ])
}

/** A version that is required from now on, for users who signed up before. */
async function withNewVersion(postponeDays = 0, more: ConfigFile = {}) {
  const { now } = (await testApp()).app
  const requiredFrom = new Date(now().getTime() + day * 1000).toISOString()
  const next = {
    ...privacy,
    version: '2',
    url: 'https://example.com/privacy/2',
    requiredFrom,
    postponeDays,
    changes: 'Less is stored.',
  }
  const kit = await testApp(configOf({ documents: [privacy, next] }, more))
  await signUp(kit.browser(), { privacy: '1' })
  return kit
}

describe('at sign-up', () => {
  test('versions in force are stored with the user, with their hash, time, IP address and device, and no challenge follows', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'terms-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'terms.md')
    await writeFile(file, '# Terms\n\nBe **kind**.')
    const kit = await testApp(configOf({ documents: [privacy, { id: 'terms', version: '3', file }] }))
    const browser = kit.browser()
    const answer = await signUp(browser, { privacy: '1', terms: '3' })
    expect([answer.status, hasSession(answer)]).toEqual([200, true])
    const rows = await acceptances(kit)
    const hash = createHash('sha256').update('# Terms\n\nBe **kind**.').digest('hex')
    expect(rows).toMatchObject([
      { userId: answer.body.user.id, document: 'privacy', version: '1', hash: null, ipAddress: '127.0.0.1' },
      { document: 'terms', version: '3', hash },
    ])
    expect(await events(kit)).toEqual([['terms.accepted', ['privacy 1', 'terms 3']]])
    const page = await browser.request('/terms/document?id=terms&version=3')
    expect(page.body).toContain('<h1>Terms</h1>\n<p>Be <strong>kind</strong>.</p>')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect((await signIn(kit.browser())).body.token).toBeTruthy()
  })

  test.each([
    ['nothing', undefined],
    ['another version', { privacy: '0' }],
    ['unknown documents', { unknown: '1', constructor: '1' }],
  ])('with %s the user is created, and the sign-in waits', async (_, given) => {
    const kit = await testApp(configOf({}))
    const browser = kit.browser()
    const answer = await signUp(browser, given)
    expect([answer.status, hasSession(answer)]).toEqual([200, false])
    expect(answer.body).toMatchObject({
      redirect: true,
      url: 'http://localhost:3000/terms',
      challenge: { kind: 'terms', postpone: false, documents: [{ id: 'privacy', version: '1', acceptedVersion: null }] },
    })
    expect(await acceptances(kit)).toEqual([])
    const done = await accept(browser, { privacy: '1' })
    expect([done.status, hasSession(done), await nameOf(browser)]).toEqual([200, true, 'Ann'])
    expect((await acceptances(kit)).length).toBe(1)
  })
})

describe('a new version', () => {
  test('is demanded from its date on, with what is new; a present session goes on', async () => {
    const kit = await withNewVersion()
    const browser = kit.browser()
    expect(hasSession(await signIn(browser))).toBe(true)
    kit.clock.advance(day)
    const other = kit.browser()
    const challenged = await signIn(other)
    expect(challenged.body.challenge).toMatchObject({
      documents: [{ version: '2', acceptedVersion: '1', changes: 'Less is stored.' }],
      postpone: false,
    })
    expect(await nameOf(browser)).toBe('Ann')
    // The version that was in force before is not enough.
    expect((await accept(other, { privacy: '1' })).body.code).toBe('TERMS_VERSION_IS_NOT_CURRENT')
    expect((await accept(other, { privacy: '2', terms: '1' })).body.code).toBe('TERMS_VERSION_IS_NOT_CURRENT')
    expect((await accept(other, {})).body.code).toBe('TERMS_VERSION_IS_NOT_CURRENT')
    expect((await other.call('POST /terms/postpone', { body: {} })).body.code).toBe('TERMS_CANNOT_BE_POSTPONED')
    expect(hasSession(await accept(other, { privacy: '2' }))).toBe(true)
    expect((await accept(other, { privacy: '2' })).body).toEqual({ status: true })
    expect((await acceptances(kit)).map(({ version }) => version)).toEqual(['1', '2'])
    expect(hasSession(await signIn(kit.browser()))).toBe(true)
  })

  test('is postponed until its days are over, and demanded again at each sign-in', async () => {
    const kit = await withNewVersion(2)
    kit.clock.advance(day)
    const postpone = async () => {
      const browser = kit.browser()
      expect((await signIn(browser)).body.challenge.postpone).toBe(true)
      return browser.call('POST /terms/postpone', { body: {} })
    }
    expect(hasSession(await postpone())).toBe(true)
    kit.clock.advance(day)
    expect(hasSession(await postpone())).toBe(true)
    expect(await kit.app.db.selectFrom('termsPostponement').select('version').execute()).toEqual([{ version: '2' }])
    kit.clock.advance(day)
    const browser = kit.browser()
    expect((await signIn(browser)).body.challenge.postpone).toBe(false)
    expect((await browser.call('POST /terms/postpone', { body: {} })).body.code).toBe('TERMS_CANNOT_BE_POSTPONED')
    expect(hasSession(await accept(browser, { privacy: '2' }))).toBe(true)
    expect(await kit.app.db.selectFrom('termsPostponement').select('version').execute()).toEqual([])
    expect((await events(kit)).map(([action]) => action)).toEqual([
      ...['terms.accepted', 'terms.postponed', 'terms.postponed', 'terms.accepted'],
    ])
  })

  test('cannot be postponed by a user who signs up under it', async () => {
    const kit = await withNewVersion(2)
    kit.clock.advance(day)
    const bob = kit.browser()
    const body = { ...ann, email: 'bob@example.com' }
    expect((await bob.call('POST /sign-up/email', { body })).body).toMatchObject({ challenge: { postpone: false } })
  })
})

describe('a sign-in that waits', () => {
  test('comes after the second factor: the password alone shows nothing of the terms', async () => {
    const kit = await withNewVersion(0, { twoFactor: true })
    const owner = kit.browser()
    await signIn(owner)
    const { code } = await enrol(kit, owner)
    kit.clock.advance(day)
    const browser = kit.browser()
    const first = await signIn(browser)
    expect([first.body.twoFactorRedirect, JSON.stringify(first.body).includes('terms')]).toEqual([true, false])
    expect((await browser.call('GET /terms/pending', { query: {} })).body.code).toBe('INVALID_TERMS_COOKIE')
    const second = await browser.call('POST /two-factor/verify-totp', { body: { code: code() } })
    expect([hasSession(second), second.body.challenge.kind]).toEqual([false, 'terms'])
    expect(hasSession(await accept(browser, { privacy: '2' }))).toBe(true)
  })

  test('ends with its time, and when the user changes how they sign in', async () => {
    const kit = await withNewVersion()
    kit.clock.advance(day)
    const [late, changed] = [kit.browser(), kit.browser()]
    await signIn(late)
    kit.clock.advance(1801)
    expect((await accept(late, { privacy: '2' })).body.code).toBe('INVALID_TERMS_COOKIE')
    await signIn(changed)
    await kit.app.db
      .updateTable('user')
      .set((eb) => ({ accessRevision: eb('accessRevision', '+', 1) }))
      .execute()
    expect((await accept(changed, { privacy: '2' })).body.code).toBe('INVALID_TERMS_COOKIE')
  })

  test('is answered by a token in place of the cookie, by programs only', async () => {
    const kit = await testApp(configOf({}, { bearer: true }))
    const program = kit.browser()
    const { body } = await program.call('POST /sign-up/email', { body: ann })
    const inBrowser = { 'sec-fetch-site': 'same-origin' }
    expect((await kit.browser().call('POST /sign-in/email', { body: credentials }, inBrowser)).body).not.toHaveProperty(
      'challenge.token',
    )
    program.cookies.clear()
    const done = await program.call('POST /terms/accept', {
      body: { terms: { privacy: '1' }, challengeToken: Object(body).challenge.token },
    })
    expect([done.status, done.body.user?.email]).toEqual([200, ann.email])
  })

  test('leads back to the page of another origin that has signed in, unless it names a target', async () => {
    const origin = 'https://app.example.com'
    const kit = await testApp(configOf({}, { trustedOrigins: [origin] }))
    await signUp(kit.browser())
    const target = async (more: object) => {
      const { body } = await kit.browser().call('POST /sign-in/email', { body: { ...credentials, ...more } }, { origin })
      return new URL(Object(body).url).searchParams.get('callbackURL')
    }
    expect(await target({})).toBe(`${origin}/`)
    expect(await target({ callbackURL: `${origin}/dashboard` })).toBe(`${origin}/dashboard`)
  })

  test('can be cancelled', async () => {
    const kit = await testApp(configOf({}))
    const browser = kit.browser()
    await signUp(browser)
    expect((await browser.call('POST /terms/cancel', { body: {} })).status).toBe(200)
    expect(await kit.app.db.selectFrom('termsChallenge').select('id').execute()).toEqual([])
    expect((await accept(browser, { privacy: '1' })).body.code).toBe('INVALID_TERMS_COOKIE')
  })
})

describe('a user who declines', () => {
  async function declined(more: ConfigFile = {}) {
    const kit = await testApp(configOf({}, { user: { deleteUser: { enabled: true } }, ...more }))
    const browser = kit.browser()
    await signUp(browser)
    expect((await browser.call('POST /terms/decline', { body: {} })).status).toBe(200)
    return { ...kit, visitor: browser }
  }

  test('gets no session, exports their data, and deletes their account', async () => {
    const kit = await declined()
    const { visitor } = kit
    expect((await events(kit)).map(([action]) => action)).toEqual(['terms.declined'])
    expect(await nameOf(visitor)).toBeNull()
    expect((await visitor.call('GET /export-data', {})).status).toBe(401)
    const { status, body } = await visitor.call('GET /terms/export-data', { query: {} })
    expect([status, Object(body).user.email, Object(body).termsAcceptance]).toEqual([200, ann.email, []])
    expect((await visitor.call('POST /terms/delete-account', { body: {} })).body).toEqual({
      success: true,
      message: 'User deleted',
    })
    expect(await kit.app.db.selectFrom('user').select('id').execute()).toEqual([])
    expect((await visitor.call('POST /terms/delete-account', { body: {} })).body.code).toBe('INVALID_TERMS_COOKIE')
  })

  test('accepts after all', async () => {
    const { visitor } = await declined()
    expect(hasSession(await accept(visitor, { privacy: '1' }))).toBe(true)
  })

  test('confirms the deletion by email, where `/delete-user` demands it', async () => {
    const links: { url: string; token: string }[] = []
    const sendDeleteAccountVerification = (mail: { url: string; token: string }) => void links.push(mail)
    const kit = await declined({ user: { deleteUser: { enabled: true, sendDeleteAccountVerification } } })
    const { visitor } = kit
    const asked = await visitor.call('POST /terms/delete-account', { body: {} })
    expect(asked.body).toEqual({ success: true, message: 'Verification email sent' })
    await expect.poll(() => links.length).toBe(1)
    const { url = '', token = '' } = links[0] ?? {}
    expect(url).toBe(`http://localhost:3000/terms/delete-account?token=${token}`)
    const stranger = await kit.browser().call('POST /terms/delete-account', { body: { token } })
    expect(stranger.body.code).toBe('INVALID_TERMS_COOKIE')
    const wrong = await visitor.call('POST /terms/delete-account', { body: { token: 'wrong' } })
    expect([wrong.status, wrong.body.code]).toEqual([404, 'INVALID_TOKEN'])
    expect((await visitor.call('POST /terms/delete-account', { body: { token } })).body.message).toBe('User deleted')
  })

  test('deletes the account only with the second factor, which the next sign-in of a trusted browser demands then', async () => {
    const kit = await withNewVersion(0, { twoFactor: true, user: { deleteUser: { enabled: true } } })
    const owner = kit.browser()
    await signIn(owner)
    const { code } = await enrol(kit, owner)
    await owner.call('POST /sign-out', {})
    await signIn(owner)
    kit.clock.advance(30)
    await owner.call('POST /two-factor/verify-totp', { body: { code: code(), trustDevice: true } })
    await owner.call('POST /sign-out', {})
    kit.clock.advance(day)
    expect((await signIn(owner)).body.challenge.kind).toBe('terms')
    const answer = await owner.call('POST /terms/delete-account', { body: {} })
    expect([answer.status, answer.body.code]).toEqual([403, 'SESSION_IS_NOT_FRESH'])
    expect((await signIn(owner)).body).toMatchObject({ twoFactorRedirect: true })
    kit.clock.advance(30)
    await owner.call('POST /two-factor/verify-totp', { body: { code: code() } })
    expect((await owner.call('POST /terms/delete-account', { body: {} })).body).toMatchObject({ message: 'User deleted' })
  })

  test('cannot delete the account when deletion is disabled', async () => {
    const { visitor } = await declined({ user: {} })
    expect((await visitor.call('POST /terms/delete-account', { body: {} })).status).toBe(404)
  })
})

describe('when a user is deleted', () => {
  const remove = async (erasure: 'keep-proof' | 'delete') => {
    const kit = await testApp(configOf({ erasure }, { user: { deleteUser: { enabled: true } } }))
    const browser = kit.browser()
    const { body } = await signUp(browser, { privacy: '1' })
    expect((await browser.call('POST /delete-user', { body: { password: ann.password } })).status).toBe(200)
    return { kit, userId: body.user.id as string, rows: await acceptances(kit) }
  }

  test('the proof stays without the person, and is found by their ID', async () => {
    const { kit, userId, rows } = await remove('keep-proof')
    expect(rows).toMatchObject([{ userId: null, document: 'privacy', version: '1', ipAddress: null, device: null }])
    expect(JSON.stringify(rows)).not.toContain(userId)
    const { listAcceptances } = await import('./index.ts')
    expect((await listAcceptances(kit.app, { userId, limit: 10 })).rows).toMatchObject([{ document: 'privacy', email: null }])
    expect((await listAcceptances(kit.app, { userId: 'unknown', limit: 10 })).rows).toEqual([])
  })

  test('or nothing stays, by configuration', async () => {
    expect((await remove('delete')).rows).toEqual([])
  })
})

test('administrators see the counts of each version', async () => {
  const kit = await withNewVersion(2, { admin: true })
  const admin = kit.browser()
  await admin.call('POST /sign-up/email', { body: { ...ann, email: 'root@example.com', terms: { privacy: '1' } } as never })
  await kit.app.db.updateTable('user').set({ role: 'admin' }).where('email', '=', 'root@example.com').execute()
  kit.clock.advance(day)
  const browser = kit.browser()
  await signIn(browser)
  await browser.call('POST /terms/postpone', { body: {} })
  const { body } = await admin.call('GET /admin/terms', {})
  expect(body).toMatchObject({
    users: 2,
    versions: [
      { version: '1', state: 'former', accepted: 2, postponed: 0, outstanding: null, deleted: 0 },
      { version: '2', state: 'in-force', accepted: 0, postponed: 1, outstanding: 1 },
    ],
  })
  const listed = await admin.call('GET /admin/list-terms-acceptances', {
    query: { document: 'privacy', version: '1', limit: '1' },
  })
  expect(listed.body.acceptances).toMatchObject([{ email: 'root@example.com' }])
  const rest = await admin.call('GET /admin/list-terms-acceptances', { query: { cursor: listed.body.nextCursor ?? '' } })
  expect(rest.body.acceptances).toMatchObject([{ email: ann.email }])
  expect((await browser.call('GET /admin/terms', {})).status).toBe(403)
})

test('users read what they have accepted', async () => {
  const kit = await testApp(configOf({}))
  const browser = kit.browser()
  await signUp(browser, { privacy: '1' })
  const { body } = await browser.call('GET /terms/acceptances', {})
  expect(body.acceptances).toMatchObject([{ document: 'privacy', version: '1', ipAddress: '127.0.0.1' }])
})

test('a version that was accepted costs no query at sign-in, and one that was not costs only those of the challenge', async () => {
  const statements = async (config: ConfigFile, terms?: object) => {
    const kit = await testApp(config)
    await signUp(kit.browser(), terms)
    await kit.settled()
    const recorder = recordStatements(kit)
    return (await recorder.record(() => signIn(kit.browser()))).statements
  }
  expect(await statements(configOf({}), { privacy: '1' })).toEqual(await statements({}))
  const challenged = (await statements(configOf({}))).filter((statement) => /session|terms/i.test(statement))
  expect(challenged).toEqual(['insert termschallenge'])
})
