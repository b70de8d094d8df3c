/** What happened to the security of an account, as its user reads it. */
import type { SecurityAction } from '../../../../src/features/index.ts'
import type { Format } from '../../i18n/format.ts'

export interface Values {
  /** Words for the method, such as `a password`, or the name of a provider; may be empty. */
  readonly method: string
  readonly count: number
  /** A key, such as `replaced`; may be empty. */
  readonly reason: string
}

type Sentences = Readonly<Record<SecurityAction, (values: Values, format: Format) => string>>

const causes = new Map([
  ['replaced', 'the same browser or app signed in again'],
  ['limit', 'a sign-in reached the maximum of sessions'],
  ['browser-limit', 'the browser signed in to too many accounts'],
  ['password-changed', 'the password was changed'],
  ['email-verified', 'everything from before your email address was verified has ended'],
])
const additions = new Map([
  ['trusted-browser', ', without a second factor in a trusted browser'],
  ['has-factor', ' and a second factor'],
  ['required', ' and a second factor'],
])
const trustCauses = new Map([
  ['copied', ': the data of a trusted browser may have been copied'],
  ['factor-removed', ': a second factor was removed'],
  ['factors-reset', ': second factors were reset'],
  ['password-changed', ': the password was changed'],
])
const of = (method: string) => (method ? `: ${method}` : '')

const sentences = {
  'user.signed-in': ({ method, reason }) => `Signed in${method ? ` with ${method}` : ''}${additions.get(reason) ?? ''}`,
  'user.signed-out': () => 'Signed out',
  'sign-in.failed': () => 'Sign-in failed',
  'session.transferred': () => 'Signed in on another device with a one-time token',
  'sessions.revoked': ({ count, reason }, { plural }) => {
    const cause = causes.get(reason)
    return `${plural(count, { one: '# session ended', other: '# sessions ended' })}${cause ? `: ${cause}` : ''}`
  },
  'two-factor.challenged': ({ method }) => `Sign-in${method ? ` with ${method}` : ''} asked for a second factor`,
  'two-factor.failed': () => 'Wrong code as second factor',
  'two-factor.locked': () => 'Second factor delayed after wrong codes',
  'magic-link.opened-elsewhere': () => 'Sign-in link used in another browser than the one that requested it',
  'email-code.failed': () => 'Wrong code by email',
  'email-code.suspended': () => 'Codes by email are longer for a day, after many wrong ones',
  'password.changed': () => 'Password changed',
  'password.reset': () => 'Password reset',
  'password.set': () => 'Password set',
  'password.removed': () => 'Password removed',
  'password.replacement-required': () => 'Password must be replaced before the next sign-in',
  'password-reset.requested': () => 'Password reset requested',
  'setup-link.created': () => 'Link to set a password created',
  'account.linked': ({ method }) => `Account linked${of(method)}`,
  'account.unlinked': ({ method }) => `Account unlinked${of(method)}`,
  'passkey.created': () => 'Passkey added',
  'passkey.renamed': () => 'Passkey renamed',
  'passkey.deleted': () => 'Passkey deleted',
  'passkey.cloned': () => 'Sign-in with a passkey rejected, because the passkey may have been copied',
  'passkey.suspended': () => 'Passkey suspended',
  'passkey.rejected': () => 'Passkey rejected, because of the model of its authenticator',
  'passkey.restored': () => 'Suspended passkey allowed again',
  'two-factor.enabled': ({ method }) => `First second factor added${of(method)}`,
  'two-factor.disabled': () => 'Last second factor removed',
  'two-factor.method-added': ({ method }) => `Second factor added or replaced${of(method)}`,
  'two-factor.method-removed': ({ method }) => `Second factor removed${of(method)}`,
  'two-factor.backup-codes-created': () => 'New backup codes created',
  'two-factor.backup-code-used': () => 'Backup code used',
  'two-factor.backup-code-rehearsed': () => 'Backup code tried, and replaced by a new one',
  'two-factor.secret-shown': () => 'Key of the authenticator app viewed',
  'two-factor.suspended': () => 'Codes as second factor turned off after too many wrong ones',
  'trusted-device.added': () => 'Browser trusted',
  'trusted-device.removed': ({ reason }) => `Trust in browsers ended${trustCauses.get(reason) ?? ''}`,
  'api-key.created': () => 'API key created',
  'api-key.updated': () => 'API key changed',
  'api-key.deleted': () => 'API key deleted',
  'api-key.expired': () => 'API key deleted, because it could no longer be used',
  'user.created': () => 'Account created',
  'user.email-changed': () => 'Email address changed',
  'user.email-verified': () => 'Email address verified',
  'email-change.requested': () => 'Change of the email address requested',
  'phone-number.verified': () => 'Phone number verified',
  'earlier-access.ended': () => 'Access from before your email address was verified has ended',
  'user-deletion.requested': () => 'Deletion of the account requested',
  'terms.accepted': () => 'Terms accepted',
  'terms.postponed': () => 'Terms postponed',
  'terms.declined': () => 'Terms declined',
  'user.exported': () => 'Data of the account exported',
  'user.role-changed': () => 'Role changed',
  'user.banned': () => 'Account banned',
  'user.unbanned': () => 'Ban lifted',
  'user.locked': () => 'Account locked',
  'user.unlocked': () => 'Account unlocked',
  'two-factor.reset-requested': () => 'Reset of second factors requested',
  'two-factor.reset-cancelled': () => 'Reset of second factors cancelled',
  'two-factor.reset': () => 'Second factors reset',
  'user.impersonation-started': () => 'An administrator started to act as you',
  'user.impersonation-stopped': () => 'An administrator stopped acting as you',
} as const satisfies Sentences

export const messages = {
  ...sentences,
  lead: 'Sign-ins, and changes to how your account is protected. The newest come first.',
  none: 'No recent activity',
  noneText: 'Sign-ins and changes to the security of your account appear here.',
  otherAction: () => 'Something else happened',
  byAdministrator: 'By an administrator',
  times: ({ count }: Pick<Values, 'count'>, { plural }: Format) => plural(count, { one: '# time', other: '# times' }),
  withPassword: 'a password',
  withPasskey: 'a passkey',
  withEmailCode: 'a code by email',
  withPhoneCode: 'a code by text message',
  withSignInLink: 'a sign-in link',
  withVerificationLink: 'a verification link',
  app: 'authenticator app',
  sentCodes: 'codes that are sent',
  passkey: 'passkey',
} as const
