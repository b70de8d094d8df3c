/** The email with an invitation, and its bound for each sender. */
import type { App } from '../../core/app.ts'
import { formatDuration } from '../../lib/text.ts'
import { hostedURL } from '../dashboard/index.ts'
import type { Config } from '../index.ts'
import { defineMails, type MailContent, sendMail } from '../outbox/index.ts'
import type { InvitationMail } from './config.ts'
import type { Inviter } from './invitations.ts'
import { type InvitationRow, type MemberRow, memberRecord, type OrganizationRow, organizationRecord } from './model.ts'

export const mails = defineMails({
  'organization-invitation': {
    option: ({ organization }: Config) => organization.sendInvitationEmail,
    render: ({ organization, inviter, role, url }: InvitationMail, { config }: App): MailContent => ({
      subject: `You are invited to join ${organization.name} on ${config.appName}`,
      heading: `Join ${organization.name}`,
      paragraphs: [`${inviter.user.name} invited you to join the organization ${organization.name} as ${role}.`],
      ...(url !== null && { action: { label: 'Open the invitation', url } }),
      footnote: `This invitation expires in ${formatDuration(config.organization.invitationExpiresIn)}. If you don't know the sender, you can ignore this email.`,
    }),
  },
})

/** The page on which the recipient accepts an invitation; null when the hosted pages are disabled. Its id is no credential. */
export function invitationURL(config: Config, id: string): string | null {
  const page = hostedURL(config, '/accept-invitation')
  return page && `${page}?${new URLSearchParams({ id })}`
}

interface Sent {
  readonly organization: OrganizationRow
  readonly inviter: Pick<Inviter, 'user'> & { readonly member: MemberRow }
  readonly invitation: InvitationRow
}

/** Sends an invitation, in the transaction that writes it. */
export async function sendInvitation(tx: App, { organization, inviter, invitation }: Sent): Promise<void> {
  const { id, email, role, expiresAt } = invitation
  const { user, member } = inviter
  await sendMail(tx, mails['organization-invitation'], email, {
    id,
    role: role ?? '',
    email,
    organization: { ...organizationRecord(organization), createdAt: organization.createdAt.toISOString() },
    inviter: {
      ...memberRecord(member),
      createdAt: member.createdAt.toISOString(),
      user: { id: user.id, name: user.name, email: user.email },
    },
    invitation: { id, email, role, expiresAt: expiresAt.toISOString() },
    url: invitationURL(tx.config, id),
  })
}
