/** The email with an invitation, and its bound for each sender. */
import type { App } from '../../core/app.ts'
import type { ConfigIssue } from '../../core/config.ts'
import type { UserRow } from '../../core/request.ts'
import { hostedURL } from '../dashboard/index.ts'
import { canVerify } from '../email-verification/index.ts'
import type { Config } from '../index.ts'
import { canSend, countForNetwork, countSentMail, defineMails, findReader, isSent, sendMail } from '../outbox/index.ts'
import { type DescribedUser, describeUser, exampleUser } from '../users/index.ts'
import type { Inviter } from './invitations.ts'
import {
  type InvitationRow,
  type MemberRecord,
  memberRecord,
  type OrganizationRecord,
  type OrganizationRow,
  organizationRecord,
} from './model.ts'
import { textsOf } from './texts.ts'

/** As emails get it: they are stored as JSON. */
type Stored<T> = Omit<T, 'createdAt'> & { readonly createdAt: string }

/** The data of an invitation email. */
export interface InvitationMail {
  readonly id: string
  readonly role: string
  readonly email: string
  readonly organization: Stored<OrganizationRecord>
  readonly inviter: Stored<MemberRecord> & { readonly user: DescribedUser }
  readonly invitation: Omit<InvitationRow, 'createdAt' | 'expiresAt' | 'pendingEmail'> & { readonly expiresAt: string }
  /** The page on which the recipient accepts it; null when the hosted pages are disabled. */
  readonly url: string | null
}

export const mails = defineMails(textsOf, {
  'organization-invitation': {
    option: ({ organization }) => organization.sendInvitationEmail,
    example: exampleInvitation,
  },
})

function exampleInvitation({ config, now }: Pick<App, 'config' | 'now'>): InvitationMail {
  const [user, createdAt] = [exampleUser({ now }), now().toISOString()]
  const [id, organizationId] = ['Lw4tR9sYb1cE6hZk2p0vXnq7Lw4tR9sY', 'Yb1cE6hZk2p0vXnq7Lw4tR9sYb1cE6hZ']
  const [email, role] = ['max@example.com', 'member']
  return {
    ...{ id, role, email },
    organization: { id: organizationId, name: 'Halden Ferry', slug: 'halden-ferry', logo: null, metadata: null, createdAt },
    inviter: { ...{ id: user.id, organizationId, userId: user.id, role: 'owner', teamId: null, createdAt }, user },
    invitation: {
      ...{ id, organizationId, email, role },
      status: 'pending',
      teamId: null,
      inviterId: user.id,
      expiresAt: createdAt,
    },
    url: invitationURL(config, id),
  }
}

/** The page on which the recipient accepts an invitation; null when the hosted pages are disabled. Its id is not a credential. */
export function invitationURL(config: Config, id: string): string | null {
  const page = hostedURL(config, '/accept-invitation')
  return page && `${page}?${new URLSearchParams({ id })}`
}

/** The built-in email would have no link without the page. */
export function invitationPageIssues(config: Config): ConfigIssue[] {
  const { sendInvitationEmail } = config.organization
  const isOwn = typeof sendInvitationEmail === 'function' || config.mail.templates['organization-invitation'] !== undefined
  if (config.dashboard.enabled || isOwn || !isSent(config, mails['organization-invitation'])) return []
  return [
    {
      id: 'invitation-page',
      path: 'organization.sendInvitationEmail',
      message: 'The invitation email has no link, because the hosted pages are disabled.',
      hint: 'Set organization.sendInvitationEmail to a function that links to a page of your own, or to false.',
    },
  ]
}

/** Counts an invitation email. @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER */
async function countInvitation(tx: App, user: UserRow): Promise<void> {
  const { max, maxUnverified, window } = tx.config.organization.invitationMailLimit
  // If no user can verify an address, all are unverified.
  const isVerified = user.emailVerified || !canVerify(tx)
  await countSentMail(tx, 'organization-invitation', user.id, { max: isVerified ? max : Math.min(max, maxUnverified), window })
  await countForNetwork(tx)
}

interface Sent {
  readonly organization: OrganizationRow
  readonly inviter: Inviter
  readonly invitation: InvitationRow
}

/**
 * Sends an invitation, in the transaction that writes it.
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER when a member has sent too many; an operator may send any number
 */
export async function sendInvitation(tx: App, { organization, inviter, invitation }: Sent): Promise<void> {
  const { createdAt: _, pendingEmail: __, ...described } = invitation
  const { id, email, role, expiresAt } = invitation
  const { user, member } = inviter
  const mail = mails['organization-invitation']
  if (tx.actor.kind === 'user' && canSend(tx, mail)) await countInvitation(tx, user)
  // The recipient may have no account: the inviter knows in which language they write to each other.
  const { locale: preferredLocale } = findReader(tx, user)
  await sendMail(
    tx,
    mail,
    { email, preferredLocale },
    {
      id,
      role: role ?? '',
      email,
      organization: { ...organizationRecord(organization), createdAt: organization.createdAt.toISOString() },
      inviter: {
        ...memberRecord(member),
        createdAt: member.createdAt.toISOString(),
        user: describeUser(tx, user),
      },
      invitation: { ...described, expiresAt: expiresAt.toISOString() },
      url: invitationURL(tx.config, id),
    },
  )
}
