/** Events of the audit log in sentences and as a timeline, for all pages that show some. */
import { catalogue } from '../i18n/messages.ts'
import { mailKindMessages } from '../messages/mail-kinds.ts'
import type { call } from '../session/session.ts'
import type { messages as english } from './en.ts'

export const eventMessages = catalogue<typeof english>({ en: () => import('./en.ts'), de: () => import('./de.ts') })

/** Sentences name kinds of emails too. */
export const loadEventMessages = (locale: string): Promise<unknown> =>
  Promise.all([eventMessages.load(locale), mailKindMessages.load(locale)])

type ListEvents = () => ReturnType<typeof call<'GET /admin/list-events'>>
export type EventPage = Awaited<ReturnType<ListEvents>>
export type AuditEvent = EventPage['events'][number]

/** Actions by what they are about: each action of the server is in one of these groups. */
export const actionGroups = {
  signIns: [
    'user.signed-in',
    'user.signed-out',
    'sign-in.failed',
    'session.updated',
    'session.transferred',
    'sessions.revoked',
    'anonymous-user.linked',
    'two-factor.challenged',
    'two-factor.failed',
    'two-factor.locked',
    'magic-link.requested',
    'magic-link.opened-elsewhere',
    'email-code.requested',
    'email-code.failed',
    'email-code.suspended',
  ],
  methods: [
    'password.changed',
    'password.reset',
    'password.set',
    'password.verified',
    'password.removed',
    'password.replacement-required',
    'password-reset.requested',
    'setup-link.created',
    'account.linked',
    'account.unlinked',
    'passkey.created',
    'passkey.renamed',
    'passkey.deleted',
    'passkey.cloned',
    'passkey.suspended',
    'passkey.rejected',
    'passkey.restored',
    'two-factor.required',
    'two-factor.enabled',
    'two-factor.disabled',
    'two-factor.method-added',
    'two-factor.method-removed',
    'two-factor.stepped-up',
    'two-factor.backup-codes-created',
    'two-factor.backup-code-used',
    'two-factor.backup-code-rehearsed',
    'two-factor.secret-shown',
    'two-factor.suspended',
    'trusted-device.added',
    'trusted-device.removed',
    'api-key.created',
    'api-key.updated',
    'api-key.deleted',
    'api-key.expired',
  ],
  users: [
    'user.created',
    'sign-up.waived',
    'sign-up.overridden',
    'user.updated',
    'user.email-changed',
    'user.email-verified',
    'email-change.requested',
    'phone-number.code-requested',
    'phone-number.verified',
    'phone-number.released',
    'email-verification.requested',
    'earlier-access.ended',
    'user-deletion.requested',
    'user.deleted',
    'terms.accepted',
    'terms.postponed',
    'terms.declined',
    'user.exported',
    'user.erased',
    'users.imported',
  ],
  access: [
    'user.role-changed',
    'user.banned',
    'user.unbanned',
    'user.locked',
    'user.unlocked',
    'two-factor.reset-requested',
    'two-factor.reset-cancelled',
    'two-factor.reset',
    'bulk-action.created',
    'bulk-action.paused',
    'bulk-action.resumed',
    'bulk-action.ended',
    'list-export.created',
    'list-export.ended',
    'list-export.downloaded',
    'user.impersonation-started',
    'user.impersonation-stopped',
    'role.created',
    'role.updated',
    'role.deleted',
  ],
  organizations: [
    'organization.created',
    'organization.updated',
    'organization.two-factor-policy-changed',
    'organization.two-factor-reminded',
    'organization.deleted',
    'member.added',
    'member.joined',
    'member.role-changed',
    'member.removed',
    'member.left',
    'invitation.created',
    'invitation.resent',
    'invitation.canceled',
    'invitation.rejected',
    'team.created',
    'team.updated',
    'team.removed',
    'team.member-added',
    'team.member-removed',
  ],
  reading: [
    'users.listed',
    'user.read',
    'user.sessions-read',
    'organizations.listed',
    'organization.read',
    'events.read',
    'mails.listed',
    'limits.read',
    'account.token-issued',
    'jwt.issued',
    'one-time-token.created',
  ],
  denials: ['access.denied', 'rate-limit.reached', 'sign-up.rejected'],
  system: [
    'limits.reset',
    'signing-key.created',
    'signing-key.retired',
    'signing-key.removed',
    'mail.failed',
    'mail.retried',
    'mail.tested',
    'audit.verified',
    'audit.events-deleted',
    'audit.events-discarded',
    'audit.head-changed',
  ],
} as const
export type ActionGroup = keyof typeof actionGroups
export type KnownAction = (typeof actionGroups)[ActionGroup][number]

export const isGroup = (name: string): name is ActionGroup => Object.hasOwn(actionGroups, name)

const known = new Set<string>(Object.values(actionGroups).flat())
/** Whether there is a sentence for an action: a newer server may have recorded others. */
export const isKnownAction = (action: string): action is KnownAction => known.has(action)
