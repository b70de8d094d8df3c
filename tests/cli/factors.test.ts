/** Second factors of a user on the command line: shown, reset, and their delay. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import type { ConfigFile } from '../../src/features/index.ts'
import { jobs as policyJobs } from '../../src/features/sign-in-policy/index.ts'
import type { Browser } from '../kit/browser.ts'
import { authenticator, enable, verify } from '../kit/second-factor.ts'
import { latchkey, latchkeyJSON } from './kit.ts'
import { options, type Project, places, serve } from './projects.ts'

const password = 'a perfectly fine passphrase'
const given: ConfigFile = { ...options, twoFactor: true, mail: { from: 'a@example.com', smtp: 'smtp://127.0.0.1:1' } }
const signIn = { body: { email: 'ann@example.com', password } }
const reset = ['users', 'reset-factor', 'ann@example.com', '--reason', 'Lost phone']

async function withAnn(create: (given: ConfigFile) => Promise<Project>, config = given) {
  const project = await create(config)
  const args = ['users', 'create', '--email', 'ann@example.com', '--name', 'Ann', '--password-stdin']
  expect((await latchkey(project.cwd, args, project.env, { input: `${password}\n` })).exitCode).toBe(0)
  await latchkey(project.cwd, ['users', 'update', 'ann@example.com', '--verified'], project.env)
  const { app, browser } = await serve(project, config)
  const ann = browser()
  await ann.call('POST /sign-in/email', signIn)
  const { body } = await enable(ann, { password })
  const code = authenticator(body.totpURI, app)
  expect((await verify(ann, code())).status).toBe(200)
  const run = (...args: string[]) => latchkeyJSON(project.cwd, args, project.env)
  return { project, app, browser, ann, code, run, backupCodes: body.backupCodes as readonly string[] }
}

/** Signs in with the next code, in a browser that Ann trusts from then on. */
async function trust(visitor: Browser, code: (later: number) => string): Promise<void> {
  await visitor.call('POST /sign-in/email', signIn)
  expect((await verify(visitor, code(1), { trustDevice: true })).status).toBe(200)
}

describe.each(Object.entries(places))('on %s', { timeout: 90_000 }, (_, create) => {
  test('shows what a user has, without secrets', async () => {
    const { project, browser, run, code, backupCodes } = await withAnn(create)
    await trust(browser(), code)
    const { exitCode, document, stdout } = await run('users', 'factors', 'ann@example.com')
    expect([exitCode, document]).toEqual([
      0,
      {
        schema: 'users-factors/v1',
        ...{ id: expect.any(String), email: 'ann@example.com', enabled: true },
        methods: [{ type: 'totp', createdAt: expect.any(String), addedWith: null, lastUsedAt: expect.any(String) }],
        backupCodesLeft: 10,
        trustedDevices: [expect.objectContaining({ id: expect.any(String), expiresAt: expect.any(String) })],
        required: null,
        failures: { failures: 0, wait: 0, nextDelay: 0, isSuspended: false },
        pendingReset: null,
      },
    ])
    for (const secret of [code(), ...backupCodes]) expect(stdout).not.toContain(secret)
    const text = await latchkey(project.cwd, ['users', 'factors', 'ann@example.com'], project.env)
    expect(text.stdout).toMatch(
      /second factor +required at sign-in\nmethod +totp, since .*Z\nbackup codes +10 left\ntrusted browser +.*, until .*Z\nrule +none$/,
    )
  })

  test('shows the rule that a user is under, whether they satisfy it, and until when they must', async () => {
    const required = [{ everyone: true as const, graceDays: 14 }]
    const { project, app, run } = await withAnn(create, { ...given, twoFactor: { required } })
    const rule = async () => (await run('users', 'factors', 'ann@example.com')).document.required
    const read = async () => (await latchkey(project.cwd, ['users', 'factors', 'ann@example.com'], project.env)).stdout
    const common = { by: 'everyone', methods: ['passkey', 'totp'] }
    expect(await rule()).toEqual({ ...common, isSatisfied: true, dueAt: null })
    expect(await read()).toMatch(/^rule +everyone: satisfied$/m)
    await app.db.deleteFrom('twoFactor').execute()
    const { startedAt } = await app.db.selectFrom('twoFactorDue').select('startedAt').executeTakeFirstOrThrow()
    const dueAt = new Date(startedAt.getTime() + 14 * 86_400_000)
    expect(await rule()).toEqual({ ...common, isSatisfied: false, dueAt: dueAt.toISOString() })
    expect(await read()).toMatch(
      new RegExp(`^rule +everyone: not satisfied, demands passkey or totp by ${dueAt.toISOString()}$`, 'm'),
    )
  })

  test('explains the next sign-in, with the decisions of the sign-in itself', async () => {
    const { project, browser, run } = await withAnn(create)
    const explained = await run('sign-in', 'explain', 'ann@example.com', '--method', 'password')
    const step = (step: string, result: string, reason: string) => ({ step, result, reason })
    expect([explained.exitCode, explained.document]).toMatchObject([
      0,
      {
        schema: 'sign-in-explain/v1',
        email: 'ann@example.com',
        steps: expect.arrayContaining([
          step('method:password', 'available', 'has-password'),
          step('admission', 'admitted', 'no-rejection'),
          step('challenge', 'totp', 'has-factor'),
          step('factor:backup-code', 'offered', 'left:10'),
        ]),
      },
    ])
    expect((await browser().call('POST /sign-in/email', signIn)).body).toMatchObject({ twoFactorMethods: ['totp'] })
    const text = await latchkey(project.cwd, ['sign-in', 'explain', 'ann@example.com', '--method', 'fax'], project.env)
    expect(text.stdout).toBe('method:fax  unavailable  off')
    expect((await run('sign-in', 'explain', 'unknown@example.com')).exitCode).toBe(1)
  })

  test('shows the sign-in policy with the users that a daemon has counted', async () => {
    const { project, app, run } = await withAnn(create)
    const before = await run('sign-in', 'policy')
    expect([before.exitCode, before.document]).toMatchObject([0, { schema: 'sign-in-policy/v1', users: null }])
    await policyJobs.users?.run(app, new AbortController().signal)
    const { document } = await run('sign-in', 'policy')
    expect(document).toMatchObject({ methods: ['password'], users: { total: 1, adoption: [{ secondFactor: 1, passkey: 0 }] } })
    const text = await latchkey(project.cwd, ['sign-in', 'policy'], project.env)
    expect(text.stdout).toMatch(
      /^sign-up +open\nmethods +password\nsecond factors +totp\ncounted +1 users at .*Z\nwith a second factor +1\nwith a passkey +0\none method only +1$/,
    )
  })

  test('resets nothing without a reason or a confirmation', async () => {
    const { run } = await withAnn(create)
    const unexplained = await run('users', 'reset-factor', 'ann@example.com', '--yes')
    expect([unexplained.exitCode, unexplained.document.code]).toEqual([2, 'USAGE'])
    const unconfirmed = await run(...reset)
    expect([unconfirmed.exitCode, unconfirmed.document]).toMatchObject([5, { code: 'NOT_CONFIRMED' }])
    expect((await run(...reset, '--factor', 'passkey', '--yes')).exitCode).toBe(2)
    expect((await run('users', 'factors', 'ann@example.com')).document).toMatchObject({ enabled: true, backupCodesLeft: 10 })
  })

  test('resets all factors with codes, trusted browsers and sessions, mails the user, and records the operator and the reason', async () => {
    const { app, browser, ann, code, run } = await withAnn(create)
    await trust(browser(), code)
    const waiting = browser()
    expect((await waiting.call('POST /sign-in/email', signIn)).body).toMatchObject({ twoFactorRedirect: true })
    const { exitCode, document, stderr } = await run(...reset, '--yes')
    expect([exitCode, document]).toMatchObject([
      0,
      { factors: ['totp', 'backup-codes'], enabled: false, sessionsRevoked: 2, isNotified: true },
    ])
    expect(stderr).toContain('ann@example.com gets an email about it')
    expect((await ann.call('GET /get-session', {})).body).toBeNull()
    for (const table of ['backupCode', 'trustedDevice', 'signInChallenge', 'session'] as const)
      expect(await app.db.selectFrom(table).select('id').execute(), table).toEqual([])
    expect(await app.db.selectFrom('twoFactor').select(['secret', 'verified']).execute()).toEqual([
      { secret: null, verified: false },
    ])
    const mails = await app.db.selectFrom('outbox').select('kind').where('kind', '=', 'two-factor-reset').execute()
    expect(mails).toHaveLength(1)
    const events = await app.db.selectFrom('auditEvent').selectAll().where('action', '=', 'two-factor.reset').execute()
    expect(events).toMatchObject([
      { actorKind: 'operator', details: { kinds: ['totp', 'backup-codes'], reason: 'Lost phone', sessions: 2 } },
    ])
    expect((await browser().call('POST /sign-in/email', signIn)).body).toMatchObject({ token: expect.any(String) })
    const again = await run(...reset, '--yes')
    expect([again.exitCode, again.document.code]).toEqual([1, 'NO_SECOND_FACTOR'])
  })

  test('resets one factor, and with the last one the backup codes too', async () => {
    const { browser, run } = await withAnn(create)
    const codes = await run(...reset, '--factor', 'backup-codes', '--yes')
    expect(codes.document).toMatchObject({ factors: ['backup-codes'], enabled: true, sessionsRevoked: 1 })
    expect((await browser().call('POST /sign-in/email', signIn)).body).toMatchObject({ twoFactorMethods: ['totp'] })
    const none = await run(...reset, '--factor', 'otp', '--yes')
    expect([none.exitCode, none.document.code]).toEqual([1, 'NO_SECOND_FACTOR'])
    expect((await run(...reset, '--factor', 'totp', '--yes')).document).toMatchObject({ factors: ['totp'], enabled: false })
  })

  test('leaves passkeys that are a second factor, and the sign-in that asks for them', async () => {
    const { app, run } = await withAnn(create)
    await app.db.updateTable('twoFactor').set({ passkeys: true }).execute()
    expect((await run(...reset, '--yes')).document).toMatchObject({ factors: ['totp', 'backup-codes'], enabled: true })
    expect(await app.db.selectFrom('user').select('twoFactorEnabled').execute()).toEqual([{ twoFactorEnabled: true }])
  })

  test('resets with a delay, says what the user gets by email, and skips the delay on request', async () => {
    const delayed = { ...given, twoFactor: { recovery: { adminDelayHours: 24 } } }
    const { app, project, run } = await withAnn(() => create(delayed as ConfigFile))
    const { exitCode, document, stderr } = await run(...reset, '--yes')
    expect([exitCode, document]).toMatchObject([
      0,
      { factors: ['totp', 'backup-codes'], enabled: true, sessionsRevoked: 0, isPending: true, isNotified: true },
    ])
    expect(stderr).toContain('ann@example.com gets an email now, one after half of the time and one at the end')
    expect((await run('users', 'factors', 'ann@example.com')).document).toMatchObject({
      pendingReset: { requestedBy: 'operator', reason: 'Lost phone', factors: ['totp', 'backup-codes'] },
    })
    const text = await latchkey(project.cwd, ['users', 'factors', 'ann@example.com'], project.env)
    expect(text.stdout).toMatch(/pending reset +totp, backup-codes, requested by operator, on /)
    expect((await run(...reset, '--now', '--yes')).document).toMatchObject({
      enabled: false,
      isPending: false,
      sessionsRevoked: 1,
    })
    expect(await app.db.selectFrom('factorReset').select('id').execute()).toEqual([])
  })

  test('explains the delay after wrong codes, and ends it', async () => {
    const { browser, run } = await withAnn(create)
    const account = ['--account', 'Ann@example.com']
    for (let challenge = 0; challenge < 2; challenge += 1) {
      const visitor = browser()
      await visitor.call('POST /sign-in/email', signIn)
      for (let guess = 0; guess < 5; guess += 1) await verify(visitor, '000000')
    }
    const explained = await run('limits', 'explain', ...account)
    expect(explained.document.secondFactor).toEqual({ failures: 10, wait: expect.any(Number), nextDelay: 60, isSuspended: false })
    expect(explained.document).toMatchObject({ secondFactor: { wait: expect.toSatisfy((wait) => wait > 20 && wait <= 30) } })
    expect((await run('limits', 'clear', ...account)).document).toMatchObject({ cleared: expect.toSatisfy((n) => n >= 1) })
    expect((await run('limits', 'explain', ...account)).document).toMatchObject({ secondFactor: { failures: 0, wait: 0 } })
  })
})

test('export includes secrets of apps only encrypted, or when that is confirmed, and import takes both', async () => {
  const { project, run, code } = await withAnn(places.SQLite)
  const word = ['--plain', '--confirm', 'second-factors']
  const unconfirmed = await run('export', 'users', '--with-second-factors', '--out', 'a.ndjson')
  expect([unconfirmed.exitCode, unconfirmed.document.code]).toEqual([4, 'ANSWER_NEEDED'])
  const both = await run('export', 'users', '--with-password-hashes', '--with-second-factors', '--out', 'a.ndjson', ...word)
  expect([both.exitCode, both.document.code]).toEqual([5, 'NOT_CONFIRMED'])
  expect((await run('export', 'users', '--out', 'plain.ndjson')).exitCode).toBe(0)
  const all = ['--with-password-hashes', '--with-second-factors', '--confirm', 'password-hashes,second-factors']
  expect((await run('export', 'users', '--out', 'all.ndjson', '--plain', ...all)).exitCode).toBe(0)
  writeFileSync(join(project.cwd, 'phrase'), 'a passphrase of some words\n')
  const sealed = ['--out', 'sealed.ndjson', '--passphrase-file', 'phrase']
  expect((await run('export', 'users', '--with-second-factors', ...sealed)).exitCode).toBe(0)
  const read = (name: string): string => readFileSync(join(project.cwd, name), 'utf8')
  expect(read('plain.ndjson')).not.toContain('secondFactor')
  expect(read('sealed.ndjson')).not.toMatch(/secondFactor|example\.com/)

  const other = await places.SQLite(given)
  writeFileSync(join(other.cwd, 'all.ndjson'), read('all.ndjson'))
  writeFileSync(join(other.cwd, 'empty'), '\n')
  const importAll = (...more: string[]) => latchkeyJSON(other.cwd, ['import', 'users', 'all.ndjson', ...more], other.env)
  expect((await importAll('--former-secret', 'empty')).exitCode).toBe(2)
  expect((await importAll()).document).toMatchObject({ created: 1 })
  expect((await importAll()).document).toMatchObject({ unchanged: 1 })
  const sealedCopy = ['import', 'users', join(project.cwd, 'sealed.ndjson'), '--passphrase-file', join(project.cwd, 'phrase')]
  expect((await latchkeyJSON(other.cwd, sealedCopy, other.env)).document).toMatchObject({ unchanged: 1 })
  const visitor = (await serve(other, given)).browser()
  await visitor.call('POST /sign-in/email', signIn)
  expect((await verify(visitor, code())).status).toBe(200)
})

test('both commands need the option twoFactor', async () => {
  const { cwd, env } = await places.SQLite({ ...given, twoFactor: false })
  for (const args of [
    ['users', 'factors', 'ann@example.com'],
    [...reset, '--yes'],
  ])
    expect((await latchkeyJSON(cwd, args, env)).document).toMatchObject({ code: 'SECOND_FACTOR_DISABLED' })
})

test('config check warns of weak options, and explains sign-ins with a provider', async () => {
  const github = { clientId: 'id', clientSecret: 'a client secret' }
  const weak = { twoFactor: { otpOptions: { channels: ['email'] }, skipVerificationOnEnable: true }, socialProviders: { github } }
  const { cwd, env } = await places.SQLite({ ...given, ...weak } as ConfigFile)
  const { exitCode, stderr } = await latchkey(cwd, ['config', 'check'], env)
  expect(exitCode).toBe(0)
  for (const part of ['Codes by email count as a second factor', 'without a first code', 'after a sign-in with github'])
    expect(stderr).toContain(part)
})

test('doctor names administrators without a second factor', async () => {
  const project = await places.SQLite({ ...given, admin: true })
  const args = ['users', 'create', '--email', 'root@example.com', '--name', 'Root', '--role', 'admin']
  expect((await latchkey(project.cwd, args, project.env)).exitCode).toBe(0)
  const finding = async () => {
    const { document } = await latchkeyJSON(project.cwd, ['doctor'], project.env)
    return (document.findings as readonly Finding[]).find(({ id }) => id === 'administrator-factors')
  }
  expect(await finding()).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('1 administrator has no second factor: root@example.com'),
  })
  const { app } = await serve(project, { ...given, admin: true })
  await app.db.updateTable('user').set({ twoFactorEnabled: true }).execute()
  expect(await finding()).toMatchObject({ status: 'ok' })
})
