/** Events of the audit log as sentences, by action. */
import type { Format } from '../i18n/format.ts'
import type { Message } from '../i18n/messages.ts'
import { messages as attempts } from './attempts-en.ts'
import type { KnownAction } from './index.ts'
import { messages as moving } from './moving-en.ts'
import { messages as ownRoles } from './organization-roles-en.ts'
import { messages as signUp } from './sign-up-en.ts'
import type { Values } from './values.ts'

type Sentences = Readonly<Record<KnownAction, (values: Values, format: Format) => string>>

const own = (isOwn: boolean, user: string) => (isOwn ? 'their' : `${user}’s`)
/** What a call does; undefined for one that a newer server has recorded. */
const attemptOf = (route: string): string | undefined => Object.entries(attempts).find(([known]) => known === route)?.[1]
const sessions = (count: number, { plural }: Format) => plural(count, { one: '# session', other: '# sessions' })

/** Why sessions ended without someone asking for it. */
const causes = new Map([
  ['replaced', 'the same browser or program signed in again'],
  ['limit', 'a sign-in reached the maximum of sessions'],
  ['browser-limit', 'the browser signed in to too many accounts'],
  ['password-changed', 'the password was changed'],
  ['email-verified', 'the owner of the email address ended everything from before its verification'],
  ['impersonation-ended', 'the administrator may not impersonate users any more'],
])

/** Why a sign-in waits for a second factor: the codes of an explanation of a sign-in. */
const challengeReasons = new Map([
  ['has-factor', ', because they have one'],
  ['required', ', because a rule requires one'],
])
/** The same, of a sign-in that is complete. */
const signInReasons = new Map([
  ['trusted-browser', ', without a second factor because they trust this browser'],
  ['two-factors-in-one', ', which proves two factors in one'],
  ['provider-trusted', ', which the configuration trusts to ask for two factors'],
  ['has-factor', ' and a second factor'],
  ['required', ' and a second factor, which a rule requires'],
])

const sentences = {
  'user.signed-in': ({ user, method, reason }) =>
    `${user} signed in${method ? ` with ${method}` : ''}${signInReasons.get(reason) ?? ''}`,
  'user.signed-out': ({ user }) => `${user} signed out`,
  'sign-in.failed': ({ user, hasUser }) => (hasUser ? `Sign-in failed for ${user}` : 'Sign-in failed'),
  'session.updated': ({ actor, user, isOwn }) => `${actor} changed fields of ${own(isOwn, user)} session`,
  'session.transferred': ({ user }) => `${user} took their session to another device`,
  'anonymous-user.linked': ({ user }) => `${user} took over the data of an anonymous user`,
  'sessions.revoked': ({ actor, user, isOwn, hasUser, count, reason }, format) =>
    causes.has(reason)
      ? `${sessions(count, format)} of ${user} ended: ${causes.get(reason)}`
      : hasUser || isOwn
        ? `${actor} revoked ${sessions(count, format)}${isOwn ? '' : ` of ${user}`}`
        : `${actor} revoked ${sessions(count, format)} of all users`,
  'password.changed': ({ actor, user, isOwn }) => `${actor} changed ${own(isOwn, user)} password`,
  'password.reset': ({ user }) => `${user} set a new password with a reset link`,
  'password.set': ({ actor, user, isOwn }) => (isOwn ? `${actor} set a password` : `${actor} set the password of ${user}`),
  'password.verified': ({ actor }) => `${actor} confirmed their password`,
  'password.removed': ({ actor, user, isOwn, reason }) =>
    reason === 'unlinked'
      ? `${actor} removed ${own(isOwn, user)} password`
      : `The password of ${user} from before the verification of their email address was removed`,
  'password.replacement-required': ({ user }) => `${user} must replace their password before the next sign-in`,
  'password-reset.requested': ({ user, hasFailed }) =>
    hasFailed ? 'A reset link was requested for an email address without an account' : `A reset link was requested for ${user}`,
  'setup-link.created': ({ actor, user }) => `${actor} created a setup link for ${user}`,
  'account.linked': ({ actor, user, isOwn, method }) =>
    `${actor} linked ${method || 'a social account'}${isOwn ? '' : ` to ${user}`}`,
  'account.unlinked': ({ actor, user, isOwn, method }) =>
    `${actor} removed ${method || 'a sign-in method'}${isOwn ? '' : ` from ${user}`}`,
  'passkey.created': ({ actor, user, isOwn }) => `${actor} added a passkey${isOwn ? '' : ` to ${user}`}`,
  'passkey.renamed': ({ actor }) => `${actor} renamed a passkey`,
  'passkey.deleted': ({ actor, user, isOwn }) => `${actor} deleted a passkey${isOwn ? '' : ` of ${user}`}`,
  'passkey.cloned': ({ user }) => `A sign-in with a passkey of ${user} was rejected, because it may have been copied`,
  'passkey.suspended': ({ user }) => `A passkey of ${user} was suspended`,
  'passkey.rejected': ({ user }) => `A passkey of ${user} was rejected, because of the model of its authenticator`,
  'passkey.restored': ({ actor }) => `${actor} restored a suspended passkey`,
  'two-factor.challenged': ({ user, reason }) =>
    `A sign-in of ${user} waits for a second factor${challengeReasons.get(reason) ?? ''}`,
  'two-factor.failed': ({ user }) => `A wrong code was entered as second factor of ${user}`,
  'two-factor.required': ({ user }) => `A rule demands a second factor of ${user}`,
  'two-factor.enabled': ({ actor }) => `${actor} enabled their first second factor`,
  'two-factor.disabled': ({ actor }) => `${actor} removed their last second factor`,
  'two-factor.method-added': ({ actor }) => `${actor} added or replaced a second factor`,
  'two-factor.method-removed': ({ actor }) => `${actor} removed a second factor`,
  'two-factor.stepped-up': ({ actor }) => `${actor} confirmed their second factor`,
  'two-factor.backup-codes-created': ({ actor }) => `${actor} created backup codes`,
  'two-factor.backup-code-used': ({ user }) => `${user} used a backup code`,
  'two-factor.backup-code-rehearsed': ({ actor }) => `${actor} tried a backup code, and got a new one for it`,
  'two-factor.secret-shown': ({ actor }) => `${actor} viewed the key of their authenticator app`,
  'two-factor.locked': ({ user }) => `Wrong codes delay the second factor of ${user}`,
  'two-factor.suspended': ({ user }) => `Codes as second factor of ${user} were turned off after too many wrong ones`,
  'trusted-device.added': ({ actor }) => `${actor} trusts a browser`,
  'trusted-device.removed': ({ actor, user, reason }) =>
    reason ? `Trust in browsers of ${user} ended` : `${actor} ended trust in browsers`,
  'api-key.created': ({ actor, user, isOwn }) => `${actor} created an API key${isOwn ? '' : ` for ${user}`}`,
  'api-key.updated': ({ actor, user, isOwn }) => `${actor} changed an API key${isOwn ? '' : ` of ${user}`}`,
  'api-key.deleted': ({ actor, user, isOwn }) => `${actor} deleted an API key${isOwn ? '' : ` of ${user}`}`,
  'api-key.expired': ({ user }) => `An API key of ${user} was deleted because it can no longer be used`,
  'user.created': ({ actor, user, isOwn }) => (isOwn ? `${user} signed up` : `${actor} created ${user}`),
  'user.updated': ({ actor, user, isOwn }) => `${actor} changed ${own(isOwn, user)} profile`,
  'user.email-changed': ({ actor, user, isOwn }) => `${actor} changed ${own(isOwn, user)} email address`,
  'user.email-verified': ({ user }) => `${user} verified their email address`,
  'phone-number.code-requested': () => 'A code was sent to a phone number',
  'phone-number.verified': ({ user }) => `${user} verified a phone number`,
  'phone-number.released': ({ user }) => `${user} lost an unverified phone number, which another user verified`,
  'magic-link.requested': () => 'A magic link was requested',
  'magic-link.opened-elsewhere': ({ user }) => `${user} used a magic link in another browser than the one that requested it`,
  'email-code.requested': () => 'A code by email was requested',
  'email-code.failed': () => 'A wrong code was given for an email address',
  'email-code.suspended': () => 'An email address gets longer codes for a day, because there were many wrong ones',
  'earlier-access.ended': ({ user }) => `Access from before ${user} verified their email address has ended`,
  'email-change.requested': ({ actor }) => `${actor} requested another email address`,
  'email-verification.requested': ({ user, hasFailed }) =>
    hasFailed ? 'A verification email was requested for no unverified user' : `A verification email was requested for ${user}`,
  'user-deletion.requested': ({ actor }) => `${actor} requested a link to delete their account`,
  'user.deleted': ({ actor, user, isOwn }) => (isOwn ? `${actor} deleted their account` : `${actor} deleted ${user}`),
  'terms.accepted': ({ user }) => `${user} accepted terms`,
  'terms.postponed': ({ user }) => `${user} postponed terms`,
  'terms.declined': ({ user }) => `${user} declined terms`,
  'user.exported': ({ actor, user, isOwn }) => `${actor} exported ${isOwn ? 'their data' : `the data of ${user}`}`,
  'user.erased': ({ actor, user }) => `${actor} erased ${user} and their personal data`,
  'user.role-changed': ({ actor, user, to }) => `${actor} changed the role of ${user}${to ? ` to ${to}` : ''}`,
  'user.banned': ({ actor, user }) => `${actor} banned ${user}`,
  'user.unbanned': ({ actor, user }) => `${actor} lifted the ban of ${user}`,
  'user.locked': ({ actor, user }) => `${actor} locked the account of ${user}`,
  'user.unlocked': ({ actor, user }) => `${actor} unlocked the account of ${user}`,
  'two-factor.reset-requested': ({ user }) => `A reset of the second factors of ${user} was requested`,
  'two-factor.reset-cancelled': ({ user }) => `The reset of the second factors of ${user} was cancelled`,
  'two-factor.reset': ({ actor, user }) => `${actor} reset second factors of ${user}`,
  'bulk-action.created': ({ actor }) => `${actor} created a bulk action`,
  'bulk-action.paused': ({ actor }) => `${actor} paused a bulk action`,
  'bulk-action.resumed': ({ actor }) => `${actor} resumed a bulk action`,
  'bulk-action.ended': () => 'A bulk action ended',
  'list-export.created': ({ actor }) => `${actor} exported a list`,
  'list-export.ended': () => 'An export of a list ended',
  'list-export.downloaded': ({ actor }) => `${actor} downloaded an export`,
  'user.impersonation-started': ({ actor, user }) => `${actor} started to act as ${user}`,
  'user.impersonation-stopped': ({ actor, user }) => `${actor} stopped acting as ${user}`,
  'role.created': ({ actor, target }) => `${actor} created the role ${target}`,
  'role.updated': ({ actor, target }) => `${actor} changed the permissions of the role ${target}`,
  'role.deleted': ({ actor, target }) => `${actor} deleted the role ${target}`,
  'organization.created': ({ actor, organization }) => `${actor} created ${organization}`,
  'organization.updated': ({ actor, organization }) => `${actor} changed the settings of ${organization}`,
  'organization.two-factor-policy-changed': ({ actor, organization }) =>
    `${actor} changed whether ${organization} requires a second factor`,
  'organization.two-factor-reminded': ({ actor, organization }) =>
    `${actor} reminded members of ${organization} who have no second factor`,
  'organization.deleted': ({ actor, organization }) => `${actor} deleted ${organization}`,
  'member.added': ({ actor, user, organization, role }) =>
    `${actor} added ${user} to ${organization}${role ? ` as ${role}` : ''}`,
  'member.joined': ({ user, organization, role }) => `${user} joined ${organization}${role ? ` as ${role}` : ''}`,
  'member.role-changed': ({ actor, user, organization, to }) =>
    `${actor} changed the role of ${user} in ${organization}${to ? ` to ${to}` : ''}`,
  'member.removed': ({ actor, user, organization }) => `${actor} removed ${user} from ${organization}`,
  'member.left': ({ user, organization }) => `${user} left ${organization}`,
  'invitation.created': ({ actor, target, organization, role }) =>
    `${actor} invited ${target} to ${organization}${role ? ` as ${role}` : ''}`,
  'invitation.resent': ({ actor, target, organization }) => `${actor} sent the invitation of ${target} to ${organization} again`,
  'invitation.canceled': ({ actor, target, organization }) => `${actor} canceled the invitation of ${target} to ${organization}`,
  'invitation.rejected': ({ actor, organization }) => `${actor} declined an invitation to ${organization}`,
  'team.created': ({ actor, target, organization }) => `${actor} created the team ${target} in ${organization}`,
  'team.updated': ({ actor, target, organization, from }) =>
    from
      ? `${actor} renamed the team ${from} of ${organization} to ${target}`
      : `${actor} changed the team ${target} of ${organization}`,
  'team.removed': ({ actor, target, organization }) => `${actor} removed the team ${target} from ${organization}`,
  'access.denied': ({ actor, route }) => {
    const attempt = attemptOf(route)
    return attempt ? `${actor} was not allowed to ${attempt}` : `${actor} was denied ${route || 'access'}`
  },
  ...ownRoles,
  ...moving,
  ...signUp,
  'rate-limit.reached': ({ actor, route }) => {
    const attempt = attemptOf(route)
    if (attempt) return `${actor} tried too often to ${attempt}`
    return route ? `${actor} reached the rate limit of ${route}` : `${actor} reached a rate limit`
  },
  'incident.frozen': ({ actor }) => `${actor} froze sign-up, sign-in or changes`,
  'incident.unfrozen': ({ actor }) => `${actor} lifted a freeze`,
  'incident.revoked': ({ actor, count }, { plural }) =>
    `${actor} revoked ${plural(count, { one: '# session', other: '# sessions' })} by filters`,
  'limits.reset': ({ actor }) => `${actor} reset rate limits and lockouts`,
  'signing-key.created': ({ actor, target }) => `${actor} created the signing key ${target}`,
  'signing-key.retired': ({ actor, target }) => `${actor} retired the signing key ${target}`,
  'signing-key.removed': ({ actor, target }) => `${actor} removed the signing key ${target}`,
  'mail.failed': ({ method }) => (method ? `An email could not be delivered: ${method}` : 'An email could not be delivered'),
  'mail.tested': ({ actor }) => `${actor} requested a test email to their own address`,
  'mail.retried': ({ actor, count }, { plural }) =>
    `${actor} retried ${plural(count, { one: '# failed email', other: '# failed emails' })}`,
  'users.listed': ({ actor }) => `${actor} listed users`,
  'user.read': ({ actor, user, isOwn }) => `${actor} viewed ${isOwn ? 'their own user' : user}`,
  'user.sessions-read': ({ actor, user, isOwn }) => `${actor} viewed ${own(isOwn, user)} sessions`,
  'organizations.listed': ({ actor }) => `${actor} listed organizations`,
  'organization.read': ({ actor, organization }) => `${actor} viewed the organization ${organization}`,
  'events.read': ({ actor }) => `${actor} read the audit log`,
  'mails.listed': ({ actor }) => `${actor} listed outgoing emails`,
  'limits.read': ({ actor }) => `${actor} read rate limits and lockouts`,
  'account.token-issued': ({ actor, user, isOwn }) => `${actor} got the provider access token${isOwn ? '' : ` of ${user}`}`,
  'jwt.issued': ({ actor }) => `${actor} got a JSON Web Token`,
  'one-time-token.created': ({ actor }) => `${actor} created a one-time token`,
  'audit.verified': ({ actor, hasFailed }) =>
    hasFailed ? `${actor} verified the audit log and found problems` : `${actor} verified the audit log`,
  'audit.events-deleted': ({ count }, { plural }) =>
    plural(count, { one: '# event past the retention time was deleted', other: '# events past the retention time were deleted' }),
  'audit.events-discarded': ({ count }, { plural }) =>
    plural(count, { one: '# rejected call was not recorded', other: '# rejected calls were not recorded' }),
  'audit.head-changed': () => 'The end of the audit log was changed by something other than Latchkey',
} as const satisfies Sentences

export const messages = {
  ...sentences,
  otherAction: ({ actor }: Values) => `${actor} did something else`,
  actingAs: ({ actor, user }: Pick<Values, 'actor' | 'user'>) => `${actor}, acting as ${user},`,
  times: ({ count }: { readonly count: number }, { plural }: Format) => plural(count, { one: '# time', other: '# times' }),
  visitor: 'Visitor',
  operator: 'Operator',
  system: 'Latchkey',
  deletedUser: 'Deleted user',
  deletedOrganization: 'Deleted organization',
  deletedThing: 'deleted',
  succeeded: 'Succeeded',
  failed: 'Failed',
  denied: 'Denied',
  detailsOf: 'Details of',
  today: ({ date }: { readonly date: string }) => `Today, ${date}`,
  passwordMethod: 'a password',
  events: 'Events',
} as const satisfies Readonly<Record<string, Message>>
