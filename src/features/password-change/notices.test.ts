/** Users are notified of every new password, and of every new email address at the former one (ASVS 6.3.7). */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import type { App } from '../../core/app.ts'
import type { ChangeNotice } from '../email-change/index.ts'
import type { ConfigFile } from '../index.ts'
import { createSetupLink } from '../setup/setup-link.ts'
import { findUserByEmail } from '../users/index.ts'
import { type PasswordNotice, setPasswordForUser } from './index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const newEmail = 'anna@example.com'
const newPassword = 'another horse entirely'

async function withAnn(config: ConfigFile = {}) {
  const links = captureMails()
  const kit = await testApp({
    ...config,
    emailAndPassword: { enabled: true, sendResetPassword: links.send, ...config.emailAndPassword },
    emailVerification: { sendVerificationEmail: links.send },
    user: { changeEmail: { enabled: true, sendChangeEmailVerification: links.send, ...config.user?.changeEmail } },
  })
  const visitor = kit.browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  return { ...kit, links, visitor }
}
type Kit = Awaited<ReturnType<typeof withAnn>>

const mailsOf = ({ app }: { app: App }, kind: string) =>
  app.db.selectFrom('outbox').select(['kind', 'recipient']).where('kind', '=', kind).execute()
type Way = readonly [by: PasswordNotice['by'], sessionsEnded: number, change: (kit: Kit) => Promise<unknown>]
const ways: Readonly<Record<string, Way>> = {
  'they change it': [
    'session',
    0,
    ({ visitor }) => visitor.call('POST /change-password', { body: { currentPassword: ann.password, newPassword } }),
  ],
  'it is reset': [
    'reset-link',
    1,
    async ({ browser, links }) => {
      await browser().call('POST /request-password-reset', { body: { email: ann.email } })
      const { token } = await links.next()
      await browser().call('POST /reset-password', { body: { token, newPassword } })
    },
  ],
  'it is set by a setup link': [
    'setup-link',
    0,
    async ({ app, browser }) => {
      const user = await findUserByEmail(app, ann.email)
      const token = new URL(await createSetupLink(app, user?.id ?? '')).searchParams.get('token') ?? ''
      await browser().call('POST /set-up', { body: { token, newPassword } })
    },
  ],
  'an operator sets it': [
    'operator',
    1,
    async ({ app }) => {
      const user = await findUserByEmail(app, ann.email)
      await setPasswordForUser(app, user ?? expect.fail('no user'), newPassword)
    },
  ],
}

describe('a user gets a notice of a new password', () => {
  test.each(Object.entries(ways))('when %s', async (_, [by, sessionsEnded, change]) => {
    const notices = captureMails<PasswordNotice>()
    const kit = await withAnn({ emailAndPassword: { sendPasswordChanged: notices.send } })
    await change(kit)
    const { user, ...what } = await notices.next()
    expect(user).toMatchObject({ email: ann.email, name: 'Ann' })
    expect(what).toEqual({ by, sessionsEnded, apiKeysEnded: 0, apiKeysLeft: 0 })
    expect(notices.sent).toHaveLength(1)
  })

  test('as the built-in email or by a template', async () => {
    const kit = await withAnn({ mail: { catch: true } })
    await ways['they change it']?.[2](kit)
    expect(await mailsOf(kit, 'password-changed')).toEqual([{ kind: 'password-changed', recipient: ann.email }])
    const template = ({ user }: PasswordNotice) => ({ subject: `Hello ${user.name}`, text: 'changed', html: 'changed' })
    const own = await withAnn({ mail: { catch: true, templates: { 'password-changed': template } } })
    await ways['they change it']?.[2](own)
    const subjects = async () => JSON.stringify((await own.browser().call('GET /mailbox/list', {})).body)
    await expect.poll(subjects).toContain('Hello Ann')
  })

  test('only if the password was changed', async () => {
    const kit = await withAnn({ mail: { catch: true } })
    await kit.visitor.call('POST /change-password', { body: { currentPassword: 'wrong wrong', newPassword } })
    await kit.browser().call('POST /reset-password', { body: { token: 'unknown', newPassword } })
    expect(await mailsOf(kit, 'password-changed')).toEqual([])
  })

  test.each([
    ['the notice is off', { mail: { catch: true }, emailAndPassword: { sendPasswordChanged: false } }],
    ['no mail is configured', {}],
  ] as const)('but not when %s', async (_, config) => {
    const kit = await withAnn(config)
    const changed = await kit.visitor.call('POST /change-password', { body: { currentPassword: ann.password, newPassword } })
    expect(changed.status).toBe(200)
    expect(await mailsOf(kit, 'password-changed')).toEqual([])
  })
})

describe('the former email address gets a notice of the new one', () => {
  async function changeEmail({ app, visitor, links }: Kit, isVerified: boolean) {
    await app.db.updateTable('user').set({ emailVerified: isVerified }).execute()
    const changed = await visitor.call('POST /change-email', { body: { newEmail } })
    if (isVerified) await visitor.call('GET /verify-email', { query: { token: (await links.next()).token } })
    return changed.status
  }

  test.each([true, false])('when a user changes it (verified: %s)', async (isVerified) => {
    const notices = captureMails<ChangeNotice>()
    const kit = await withAnn({ user: { changeEmail: { sendEmailChanged: notices.send } } })
    expect(await changeEmail(kit, isVerified)).toBe(200)
    expect(await notices.next()).toEqual({
      user: expect.objectContaining({ email: newEmail, name: 'Ann' }),
      formerEmail: ann.email,
      ...(isVerified && { lockURL: expect.stringContaining('/lock-account?token=') }),
    })
    expect(notices.sent).toHaveLength(1)
  })

  test('as the built-in email, which does not name the new one', async () => {
    const kit = await withAnn({ mail: { catch: true } })
    await changeEmail(kit, false)
    expect(await mailsOf(kit, 'email-changed')).toEqual([{ kind: 'email-changed', recipient: ann.email }])
    const listed = async () => JSON.stringify((await kit.browser().call('GET /mailbox/list', {})).body)
    await expect.poll(listed).toContain('was changed')
  })

  test.each([
    ['the notice is off', { mail: { catch: true }, user: { changeEmail: { sendEmailChanged: false } } }],
    ['no mail is configured', {}],
  ] as const)('but not when %s', async (_, config) => {
    const kit = await withAnn(config)
    expect(await changeEmail(kit, false)).toBe(200)
    expect(await mailsOf(kit, 'email-changed')).toEqual([])
  })
})
