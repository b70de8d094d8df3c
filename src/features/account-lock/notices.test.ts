/** Every notice of a security event has the link that locks the account: the kinds of email are derived from the features. */
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { everything } from '../../../tests/kit/everything.ts'
import { renderMail } from '../outbox/index.ts'

/** Kinds of email without it. */
const others: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['verification', 'reset-password', 'change-email', 'delete-account', 'magic-link', 'email-code', 'sign-in-email'],
      ...['email-change-code', 'two-factor-code', 'two-factor-reset-code', 'passkey-sign-up'],
    ].map((kind) => [kind, 'a link or code that its reader requested']),
  ),
  'account-exists': 'nothing has happened to the account',
  'email-in-use': 'nothing has happened to the account',
  'waiting-list-joined': 'there is no account',
  'waiting-list-approved': 'there is no account',
  'account-locked': 'the account is locked already',
  'set-up-link': 'a link for a user who has no password yet: nothing has happened to the account',
  'account-banned': 'an administrator has signed the user out',
  'account-deleted': 'there is no account any more',
  'organization-invitation': 'not about an account',
  'organization-two-factor': 'a reminder',
  'two-factor-due': 'a reminder',
  'operation-warning': 'for operators',
}

test('each kind of email is a notice with the link, or has a reason to be without it', async () => {
  const { app } = await testApp({ ...everything, dashboard: { enabled: true } })
  const kinds = app.features.flatMap(({ mails = {} }) => Object.values(mails))
  const notices = kinds.filter(({ isNotice }) => isNotice).map(({ kind }) => kind)
  expect(kinds.map(({ kind }) => kind).filter((kind) => !notices.includes(kind) && !(kind in others))).toEqual([])
  expect(notices.length).toBeGreaterThan(15)
  for (const locale of ['en', 'de', 'de-informal'] as const)
    for (const kind of notices) {
      const { text, html } = renderMail(app, kind, { locale })
      expect([kind, text.includes('/lock-account?token='), html?.includes('/lock-account?token=')]).toEqual([kind, true, true])
    }
  for (const kind of kinds.map((each) => each.kind).filter((each) => !notices.includes(each)))
    expect(renderMail(app, kind).text).not.toContain('lock-account')
})
