/** "This wasn't me": the link of a notice locks the account, once, and only its reader's password reset opens it. */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import type { ConfigFile } from '../index.ts'
import { findUserByEmail } from '../users/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const newPassword = 'another horse entirely'
const locked = '403 ACCOUNT_LOCKED'
const outcome = ({ status, body }: { status: number; body: { code?: string } | null }) =>
  [status, body?.code].filter(Boolean).join(' ')

interface SentMail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Ann has a verified email address, and a notice of her new password. */
async function withNotice(config: ConfigFile = {}) {
  const mails: SentMail[] = []
  const kit = await testApp({
    user: { changeEmail: { enabled: true } },
    ...config,
    mail: { from: 'Acme <no-reply@acme.example>', send: (mail) => void mails.push(mail) },
  })
  const owner = kit.browser()
  await owner.call('POST /sign-up/email', { body: ann })
  await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
  const user = async () => (await kit.app.db.selectFrom('user').selectAll().executeTakeFirst()) ?? expect.fail('no user')
  const signIn = (password = ann.password, browser = kit.browser()) =>
    browser.call('POST /sign-in/email', { body: { email: ann.email, password } })
  /** The newest mail to an address whose text matches. */
  const mailTo = async (to: string, pattern: RegExp) => {
    await kit.settled()
    const found = mails.findLast((mail) => mail.to === to && pattern.test(mail.text))
    return found ?? expect.fail(`no mail to ${to} with ${pattern}`)
  }
  const lockToken = async (to = ann.email) => {
    const pattern = /lock-account\?token=([\w-]+)/
    return pattern.exec((await mailTo(to, pattern)).text)?.[1] ?? ''
  }
  const changePassword = (browser = owner) =>
    browser.call('POST /change-password', { body: { currentPassword: ann.password, newPassword: ann.password } })
  expect((await changePassword()).status).toBe(200)
  const check = (token: string, browser = kit.browser()) => browser.call('POST /lock-account/check', { body: { token } })
  const lock = (token: string, browser = kit.browser()) => browser.call('POST /lock-account', { body: { token } })
  const requestReset = async (email = ann.email) => {
    await kit.browser().call('POST /request-password-reset', { body: { email } })
    const [, link = ''] = /(http\S+\/link\/\w+)/.exec((await mailTo(email, /\/link\//)).text) ?? []
    const target = (await kit.browser().request(link.slice(link.indexOf('/link/')))).headers.get('location') ?? ''
    return /reset-password\/([^?]+)/.exec(target)?.[1] ?? expect.fail(target)
  }
  const reset = async (token: string) => kit.browser().call('POST /reset-password', { body: { token, newPassword } })
  return { ...kit, owner, mails, user, signIn, mailTo, lockToken, changePassword, check, lock, requestReset, reset }
}

/** A new address, as by a thief who has the session and the mailbox of the new one. */
async function changeEmail({ app }: Awaited<ReturnType<typeof withNotice>>, email: string) {
  const { updateUser, userUpdate } = await import('../users/index.ts')
  const { transaction } = await import('../../core/transaction.ts')
  const { id } = (await findUserByEmail(app, ann.email)) ?? expect.fail('no user')
  await transaction(app, (tx) => updateUser(tx, id, userUpdate(tx, { email, emailVerified: true }).draft))
}

describe('the link of a notice', () => {
  test('changes nothing when it is checked, and says what would end, with a masked address', async () => {
    const { owner, check, lockToken, signIn, user } = await withNotice()
    const token = await lockToken()
    await signIn()
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await check(token)
      expect([status, body]).toEqual([
        200,
        {
          email: 'a•••@example.com',
          isLocked: false,
          opensByReset: true,
          ends: { sessions: 2, apiKeys: 0, linksAndCodes: 0, linkedAccounts: 0, trustedBrowsers: 0 },
        },
      ])
    }
    expect((await user()).lockedAt).toBeNull()
    expect((await owner.call('GET /get-session', {})).body).not.toBeNull()
  })

  test('locks the account without a session, for every device and every sign-in with the right password', async () => {
    const { app, owner, lock, lockToken, signIn } = await withNotice()
    const { status, body } = await lock(await lockToken())
    expect([status, body]).toMatchObject([200, { status: true, opensByReset: true, ended: { sessions: 1 } }])
    expect((await owner.call('GET /get-session', {})).body).toBeNull()
    expect(await app.db.selectFrom('session').select('id').execute()).toEqual([])
    expect(outcome(await signIn())).toBe(locked)
    expect(outcome(await signIn('a wrong password'))).toBe('401 INVALID_EMAIL_OR_PASSWORD')
  })

  test('works once', async () => {
    const { check, lock, lockToken, requestReset, reset } = await withNotice()
    const token = await lockToken()
    await lock(token)
    expect(outcome(await lock(token))).toBe('400 INVALID_TOKEN')
    expect(outcome(await check(token))).toBe('400 INVALID_TOKEN')
    expect((await reset(await requestReset())).status).toBe(200)
    expect(outcome(await lock(token))).toBe('400 INVALID_TOKEN')
  })

  test.each([
    [
      'has expired',
      async (token: string, advance: (seconds: number) => void) => {
        advance(604_801)
        return token
      },
    ],
    ['is forged', async () => 'Zk2p0vXnq7Lw4tR9sYb1cE6h'],
    ['is cut off', async (token: string) => token.slice(0, -1)],
    ['is empty', async () => ''],
  ])('is rejected when it %s', async (_, change) => {
    const { clock, check, lock, lockToken, user } = await withNotice()
    const token = await change(await lockToken(), clock.advance)
    expect([outcome(await check(token)), outcome(await lock(token))]).toEqual(['400 INVALID_TOKEN', '400 INVALID_TOKEN'])
    expect((await user()).lockedAt).toBeNull()
  })

  test('is random, stored as a hash, and different in each notice', async () => {
    const { app, changePassword, lockToken } = await withNotice()
    const first = await lockToken()
    await changePassword()
    const second = await lockToken()
    expect(first).toMatch(/^[\w-]{24}$/)
    expect(second).not.toBe(first)
    const rows = JSON.stringify(await app.db.selectFrom('lockLink').selectAll().execute())
    expect([rows.includes(first), rows.includes(second)]).toEqual([false, false])
  })

  test('is missing from notices to an address that was never verified, which may belong to another person', async () => {
    const { app, owner, changePassword, mailTo, settled } = await withNotice()
    await settled()
    await app.db.updateTable('user').set({ emailVerified: false }).execute()
    await app.db.deleteFrom('lockLink').execute()
    await changePassword()
    expect((await mailTo(ann.email, /password/)).text).not.toContain('lock-account')
    await owner.call('POST /change-email', { body: { newEmail: 'anna@example.com' } })
    expect((await mailTo(ann.email, /email address of your/)).text).not.toContain('lock-account')
    expect(await app.db.selectFrom('lockLink').select('id').execute()).toEqual([])
  })

  test('is missing with lockLink: false, and leads to lockPage when there is one', async () => {
    const off = withNotice({ notices: { lockLink: false } })
    const { app, mailTo } = await off
    expect((await mailTo(ann.email, /password/)).text).not.toContain('lock-account')
    expect(await app.db.selectFrom('lockLink').select('id').execute()).toEqual([])
    const own = await withNotice({ notices: { lockPage: 'https://acme.example/lock-account?from=mail' } })
    expect((await own.mailTo(ann.email, /password/)).text).toMatch(
      /https:\/\/acme\.example\/lock-account\?from=mail&token=[\w-]{24}/,
    )
  })

  test('reaches a function of the configuration as lockURL', async () => {
    const sent: { lockURL?: string }[] = []
    const sendPasswordChanged = (mail: { lockURL?: string }) => void sent.push(mail)
    const { settled } = await withNotice({ emailAndPassword: { enabled: true, sendPasswordChanged } })
    await settled()
    expect(sent[0]?.lockURL).toMatch(/\/lock-account\?token=[\w-]{24}$/)
  })
})

describe('a locked account', () => {
  test('is opened by a password reset to the address of the link, and its owner is reminded what to check', async () => {
    const { lock, lockToken, mailTo, requestReset, reset, signIn, user } = await withNotice()
    await lock(await lockToken())
    expect(outcome(await reset(await requestReset()))).toBe('200')
    expect([(await user()).lockedAt, outcome(await signIn(newPassword)), outcome(await signIn())]).toEqual([
      null,
      '200',
      '401 INVALID_EMAIL_OR_PASSWORD',
    ])
    expect((await mailTo(ann.email, /open again/)).text).toContain('remove second factors, passkeys and linked accounts')
  })

  test('is not opened by a reset link from before the lock', async () => {
    const { lock, lockToken, requestReset, reset, user } = await withNotice()
    const token = await requestReset()
    await lock(await lockToken())
    expect(outcome(await reset(token))).toBe('400 INVALID_TOKEN')
    expect((await user()).lockedAt).not.toBeNull()
  })

  test('after a thief has changed the email address, the former owner can lock it, and no reset opens it', async () => {
    const kit = await withNotice()
    const thief = 'thief@example.com'
    await changeEmail(kit, thief)
    const token = await kit.lockToken()
    expect((await kit.check(token)).body).toMatchObject({ email: 'a•••@example.com', opensByReset: false })
    expect((await kit.lock(token)).body).toMatchObject({ opensByReset: false, ended: { sessions: 1 } })
    expect(outcome(await kit.reset(await kit.requestReset(thief)))).toBe(locked)
    expect(outcome(await kit.browser().call('POST /sign-in/email', { body: { email: thief, password: ann.password } }))).toBe(
      locked,
    )
    expect((await kit.mailTo(ann.email, /account was locked/)).text).toContain('Only our support can open it again')
    expect((await kit.user()).lockedAt).not.toBeNull()
  })

  test('is left to administrators when the owners of two addresses have locked it: one of them is a thief', async () => {
    const kit = await withNotice()
    const owners = await kit.lockToken()
    const thief = 'thief@example.com'
    await changeEmail(kit, thief)
    await kit.owner.call('POST /change-password', { body: { currentPassword: ann.password, newPassword: ann.password } })
    expect((await kit.lock(await kit.lockToken(thief))).body).toMatchObject({ opensByReset: true })
    expect((await kit.check(owners)).body).toMatchObject({ isLocked: true, opensByReset: false })
    expect((await kit.lock(owners)).body).toMatchObject({ opensByReset: false })
    expect(outcome(await kit.reset(await kit.requestReset(thief)))).toBe(locked)
  })

  test('that a thief has opened again is locked by the link of its former owner', async () => {
    const kit = await withNotice()
    const owners = await kit.lockToken()
    const thief = 'thief@example.com'
    await changeEmail(kit, thief)
    await kit.owner.call('POST /change-password', { body: { currentPassword: ann.password, newPassword: ann.password } })
    await kit.lock(await kit.lockToken(thief))
    expect(outcome(await kit.reset(await kit.requestReset(thief)))).toBe('200')
    expect(outcome(await kit.lock(owners))).toBe('200')
    expect((await kit.user()).lockedAt).not.toBeNull()
  })

  test('records who locked and opened it, without email addresses', async () => {
    const { app, clock, lock, lockToken, requestReset, reset, user } = await withNotice()
    await lock(await lockToken())
    clock.advance(1)
    await reset(await requestReset())
    const { id } = await user()
    const events = await app.db
      .selectFrom('auditEvent')
      .select(['action', 'targetId', 'userId', 'details'])
      .where('action', 'in', ['user.locked', 'user.unlocked'])
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
    const common = { targetId: id, userId: id }
    expect(events).toMatchObject([
      { action: 'user.locked', ...common, details: { by: 'link', opensByReset: true, sessions: 1 } },
      { action: 'user.unlocked', ...common, details: { by: 'reset' } },
    ])
    expect(JSON.stringify(events)).not.toContain('@')
  })
})

test('a link of another user locks only their account', async () => {
  const { app, browser, owner, lock, lockToken } = await withNotice()
  const token = await lockToken()
  const eve = browser()
  await eve.call('POST /sign-up/email', { body: { ...ann, email: 'eve@example.com' } })
  await lock(token, eve)
  const nameOf = async (of: Browser) => (await of.call('GET /get-session', {})).body?.user.name ?? null
  expect([await nameOf(owner), await nameOf(eve)]).toEqual([null, 'Ann'])
  expect(await app.db.selectFrom('user').select('email').where('lockedAt', 'is not', null).execute()).toEqual([
    { email: ann.email },
  ])
})
