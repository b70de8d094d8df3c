/** The email with an invitation, and its bound for each sender. */
import type { App } from '../../core/app.ts'
import type { ConfigIssue } from '../../core/config.ts'
import type { UserRow } from '../../core/request.ts'
import { nameInMail } from '../../lib/mail-name.ts'
import { formatDuration } from '../../lib/text.ts'
import { hostedURL } from '../dashboard/index.ts'
import { canVerify } from '../email-verification/index.ts'
import type { Config } from '../index.ts'
import {
  canSend,
  countForNetwork,
  countSentMail,
  defineMails,
  isSent,
  type MailContent,
  mailTemplates,
  sendMail,
} from '../outbox/index.ts'
import { type DescribedUser, describeUser } from '../users/index.ts'
import type { Inviter } from './invitations.ts'
import {
  type InvitationRow,
  type MemberRecord,
  memberRecord,
  type OrganizationRecord,
  type OrganizationRow,
  organizationRecord,
} from './model.ts'

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

export const mailConfig = mailTemplates<{ 'organization-invitation': InvitationMail }>({
  'organization-invitation': 'with an invitation',
})

export const mails = defineMails({
  'organization-invitation': {
    option: ({ organization }: Config) => organization.sendInvitationEmail,
    render: ({ organization, inviter, role, url }: InvitationMail, { config }: App): MailContent => {
      const [to, from] = [nameInMail(organization.name), nameInMail(inviter.user.name)]
      const roles = nameInMail(role.replaceAll(',', ', '))
      return {
        subject: `Invitation to ${to} on ${config.appName}`,
        heading: `Join ${to}`,
        paragraphs: [
          `${from} invited you to join the organization ${to} on ${config.appName}. Your role will be: ${roles}.`,
          'To accept, sign in with this email address, or create an account with it.',
        ],
        ...(url !== null && { action: { label: 'Open the invitation', url } }),
        footnote: `This invitation expires in ${formatDuration(config.organization.invitationExpiresIn)}. If you don't know ${from}, you can ignore this email.`,
      }
    },
  },
})

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
  await sendMail(tx, mail, email, {
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
  })
}
