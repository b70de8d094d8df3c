/** Texts of invitations, and of the user's own organizations. */
import type { Format } from '../../i18n/format.ts'

export interface Count {
  readonly count: number
}
export interface Recipient {
  readonly email: string
}
export interface Named {
  readonly organization: string
}

export const messages = {
  invitation: 'Invitation',
  invitationWaits: 'An invitation is waiting for you',
  signInToSee: ({ appName }: { readonly appName: string }) =>
    `Sign in to ${appName} to see who invited you to which organization, and to accept.`,
  useInvitedAddress: 'Use the email address that received the invitation.',
  signIn: 'Sign in',
  createAccount: 'Create an account',
  unusable: 'This invitation no longer works',
  unusableLead: 'It has expired, was canceled or was used already, or the link is incomplete.',
  unusableText:
    'If you have accepted it, you find the organization in your account. Otherwise ask the sender for a new invitation.',
  goToOrganizations: 'Go to your organizations',
  otherRecipient: 'This invitation is for another email address',
  otherRecipientLead: ({ email }: Recipient) => `You are signed in as ${email}.`,
  otherRecipientText: 'Sign in with the email address that received the invitation. The link then works.',
  useAnotherAccount: 'Use another account',
  back: 'Back',
  verificationSent: ({ email }: { readonly email: string }) => `We sent an email to ${email}. Open the link in it.`,
  signedInAs: ({ email }: Recipient) => `You are signed in as ${email}.`,
  joinOrganization: ({ organization }: Named) => `Join ${organization}`,
  invitedBy: ({ inviter }: { readonly inviter: string }) => `${inviter} has invited you.`,
  organization: 'Organization',
  inviter: 'Invited by',
  role: 'Role',
  expires: 'Expires',
  accept: 'Accept invitation',
  setUpFactor: 'Set up a second factor',
  decline: 'Decline',
  declineQuestion: ({ organization }: Named) => `Decline the invitation to ${organization}?`,
  declineText: 'To join later, you need a new invitation.',
  declineInvitation: 'Decline invitation',
  declined: 'You declined the invitation',
  declinedLead: ({ organization }: Named) => `You are not a member of ${organization}. To join later, ask for a new invitation.`,
  limitReached: 'Ask the sender of the invitation to make room, then try again.',
  verifyFirst: 'Verify your email address first',
  verifyFirstText: ({ email }: Recipient) =>
    `Only the owner of ${email} can join. Open the link in the verification email, or let us send you one that leads back here.`,
  sendVerification: 'Send verification email',
  invitations: 'Invitations',
  invitationsLead: ({ organization }: Named) => `Users who were invited to ${organization}, and how each invitation ended.`,
  inviteMembers: 'Invite members',
  searchInvitations: 'Search invitations',
  emailStartsWith: 'Email starts with',
  status: 'Status',
  allStatuses: 'Any status',
  statusPending: 'Pending',
  statusAccepted: 'Accepted',
  statusRejected: 'Declined',
  statusExpired: 'Expired',
  statusCanceled: 'Canceled',
  email: 'Email',
  noInvitations: 'No invitations yet',
  noInvitationsText: 'Invite users by their email addresses. They appear here until they have accepted, and after that.',
  noMatch: 'No matching invitations',
  noMatchText: 'Search for another address, or choose another status.',
  clearFilters: 'Clear filters',
  actionsFor: ({ email }: Recipient) => `Actions for ${email}`,
  copyLink: 'Copy link',
  resend: 'Send again',
  renewInvitation: 'Renew',
  inviteAgain: 'Invite again',
  cancelInvitation: 'Cancel invitation',
  resent: ({ email }: Recipient) => `The invitation to ${email} was renewed and sent again.`,
  renewed: ({ email }: Recipient) => `The invitation to ${email} was renewed. Copy its link, and send it yourself.`,
  cancelQuestion: ({ email }: Recipient) => `Cancel the invitation to ${email}?`,
  cancelText: 'The link stops working immediately. You can invite this address again.',
  canceled: ({ email }: Recipient) => `The invitation to ${email} was canceled.`,
  linkTitle: 'Invitation link',
  linkText: ({ email }: Recipient) =>
    `Send this link yourself if the email does not arrive. Only the owner of ${email} can use it: they must sign in with this address.`,
  linkTextWithoutMail: ({ email }: Recipient) =>
    `Send this link yourself. Only the owner of ${email} can use it: they must sign in with this address.`,
  linkFor: ({ email }: Recipient) => `Link for ${email}`,
  done: 'Done',
  inviteLead: ({ hours }: { readonly hours: number }, { plural }: Format) =>
    hours < 72
      ? `Each address gets an email with a link that works for ${plural(hours, { one: '# hour', other: '# hours' })}.`
      : `Each address gets an email with a link that works for ${plural(Math.floor(hours / 24), { one: '# day', other: '# days' })}.`,
  inviteLeadWithoutMail: ({ hours }: { readonly hours: number }, { plural }: Format) =>
    `This site does not send invitations by email. Copy the link of each invitation afterwards, and send it yourself. It works for ${hours < 72 ? plural(hours, { one: '# hour', other: '# hours' }) : plural(Math.floor(hours / 24), { one: '# day', other: '# days' })}.`,
  addresses: 'Email addresses',
  addressesHint: 'Paste a list: separated by commas, spaces or lines, with or without names.',
  addressCount: ({ count }: Count, { plural }: Format) => plural(count, { one: '# address', other: '# addresses' }),
  tooMany: ({ count }: Count, { plural }: Format) =>
    plural(count, { one: 'At most # address in one go.', other: 'At most # addresses in one go.' }),
  roleForAll: 'Role for all',
  roleOf: ({ email }: Recipient) => `Role of ${email}`,
  removeAddress: ({ email }: Recipient) => `Remove ${email}`,
  teams: 'Teams',
  compareRoles: 'Compare roles',
  checking: 'Checking…',
  isNew: 'Will be invited',
  isMember: 'Already a member, will be skipped',
  isInvited: 'Already invited, will be skipped',
  isRenewed: 'Already invited, will be sent again',
  willBeRenewed: 'Already invited, will be renewed',
  renew: 'Send again',
  renewFor: ({ email }: Recipient) => `Send again to ${email}`,
  isInvalid: 'Not an email address, will be skipped',
  willBeInvited: ({ count, total }: Count & { readonly total: number }, { number }: Format) =>
    `${number(count)} of ${number(total)} will be invited`,
  sendInvitations: ({ count }: Count, { plural }: Format) =>
    plural(count, { one: 'Send # invitation', other: 'Send # invitations' }),
  createInvitations: ({ count }: Count, { plural }: Format) =>
    plural(count, { one: 'Create # invitation', other: 'Create # invitations' }),
  createNone: 'Create invitations',
  sendNone: 'Send invitations',
  noAddressYet: 'Enter at least one email address that can be invited.',
  sending: ({ done, total }: { readonly done: number; readonly total: number }, { number }: Format) =>
    `${number(done)} of ${number(total)} sent`,
  pausedFor: ({ time }: { readonly time: string }) => `Too many calls. Continues in ${time}.`,
  stop: 'Stop',
  sentCount: ({ count }: Count, { plural }: Format) =>
    plural(count, { one: '# invitation was sent.', other: '# invitations were sent.' }),
  createdCount: ({ count }: Count, { plural }: Format) =>
    plural(count, {
      one: '# invitation was created. Copy its link from the list, and send it yourself.',
      other: '# invitations were created. Copy their links from the list, and send them yourself.',
    }),
  skippedCount: ({ count }: Count, { plural }: Format) =>
    plural(count, { one: '# address was skipped.', other: '# addresses were skipped.' }),
  failedCount: ({ count }: Count, { plural }: Format) =>
    plural(count, {
      one: '# invitation could not be sent. The reason is below.',
      other: '# invitations could not be sent. The reasons are below.',
    }),
  noRoleToGive: 'Your role does not allow you to give others a role.',
  organizations: 'Organizations',
  organizationsLead: 'Organizations that you belong to, and invitations to others.',
  yourInvitations: 'Your invitations',
  yourOrganizations: 'Your organizations',
  createOrganization: 'Create organization',
  invitationLine: ({ inviter, role }: { readonly inviter: string; readonly role: string }) =>
    `${inviter} invites you as ${role}.`,
  acceptNamed: ({ organization }: Named) => `Accept the invitation to ${organization}`,
  declineNamed: ({ organization }: Named) => `Decline the invitation to ${organization}`,
  acceptShort: 'Accept',
  joined: ({ organization }: Named) => `You are now a member of ${organization}.`,
  declinedNote: ({ organization }: Named) => `You declined the invitation to ${organization}.`,
  verifyToSee: 'Invitations appear here once your email address is verified',
  verifyToSeeText: ({ email }: Recipient) => `We send an email with a link to ${email}.`,
  searchOrganizations: 'Search your organizations',
  nameOrSlug: 'Part of a name or slug',
  noOrganizations: 'No organizations yet',
  noOrganizationsText: 'You see an organization here once you have accepted an invitation to it.',
  noOrganizationsCreate: 'Create one, or accept an invitation. Your organizations appear here.',
  noOrganizationMatch: 'No matching organizations',
  noOrganizationMatchText: 'Search for the start of another name.',
  joinedOn: 'Joined',
  membersHead: 'Members',
  leave: 'Leave',
  leaveNamed: ({ organization }: Named) => `Leave ${organization}`,
} as const
