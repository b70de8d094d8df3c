/** Who may sign up: the events, and what calls do. */
import type { Values } from './values.ts'

export const attempts = {
  'POST /invite-link/preview': 'read an invite link',
  'POST /invite-link/open': 'open an invite link',
  'POST /invite-link/accept': 'join an organization by invite link',
  'GET /admin/list-invite-links': 'list invite links',
  'POST /admin/create-invite-link': 'create an invite link',
  'POST /admin/revoke-invite-link': 'revoke an invite link',
  'POST /waiting-list/join': 'join the waiting list',
  'GET /admin/list-waiting-list': 'list the waiting list',
  'POST /admin/approve-waiting-list': 'approve applicants',
  'POST /admin/decline-waiting-list': 'decline applicants',
} as const

const reasons = new Map([
  ['address-blocked', 'the email address is blocked'],
  ['domain-blocked', 'the domain is blocked'],
  ['not-listed', 'the email address is not on the list'],
  ['disposable-domain', 'the domain has disposable mailboxes'],
  ['closed', 'sign-up is closed'],
  ['not-invited', 'sign-up needs an invitation'],
  ['not-approved', 'the email address is not approved'],
  ['mailbox-taken', 'another user has the mailbox'],
])

/** Why the sign-up policy rejects a user; the word itself for one of a newer server. */
const signUpReason = (reason: string): string => reasons.get(reason) ?? reason

export const messages = {
  'sign-up.rejected': ({ actor, reason }: Values) => `${actor} was rejected by the sign-up policy: ${signUpReason(reason)}`,
  'sign-up.waived': ({ user, reason }: Values) => `${user} was admitted although a rule rejects them: ${signUpReason(reason)}`,
  'sign-up.overridden': ({ actor, user, reason }: Values) =>
    `${actor} created ${user} although the sign-up policy rejects them: ${signUpReason(reason)}`,
  'invite-link.created': ({ actor }: Values) => `${actor} created an invite link`,
  'invite-link.revoked': ({ actor }: Values) => `${actor} revoked an invite link`,
  'invite-link.used': ({ user }: Values) => `${user} used an invite link`,
  'waiting-list.joined': ({ actor }: Values) => `${actor} joined the waiting list`,
  'waiting-list.approved': ({ actor }: Values) => `${actor} approved an applicant`,
  'waiting-list.declined': ({ actor }: Values) => `${actor} declined an applicant`,
  'waiting-list.listed': ({ actor }: Values) => `${actor} listed the waiting list`,
} as const
