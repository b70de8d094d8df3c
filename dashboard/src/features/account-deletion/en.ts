export interface Recipient {
  readonly email: string
}

export const messages = {
  deleteAccount: 'Delete account',
  deleteLead: 'Deleting your account cannot be undone.',
  whatIsDeleted: 'What is deleted',
  confirmation: 'Confirmation',
  confirmationText: 'So that your account is not deleted by mistake.',
  deletedProfile: 'Your profile and everything you entered there',
  deletedMethods: 'Your sign-in methods: you cannot sign in again',
  deletedSessions: 'Your sessions: all devices and apps are signed out',
  deletedOrganizations: 'Your organizations that have no other members',
  handOverFirst: 'Are you the last owner of an organization with other members? Make another member an owner first.',
  organizationsLink: 'Your organizations',
  exportFirst: 'Do you want to keep a copy?',
  exportLink: 'Export your data',
  typeEmail: ({ email }: Recipient) => `Type ${email} to confirm`,
  password: 'Your password',
  sendLink: 'Send deletion link',
  sendLinkText: ({ email }: Recipient) => `We send a link to ${email}. Open it and confirm to delete your account.`,
  linkSent: 'Check your email',
  linkSentText: ({ email }: Recipient) =>
    `We sent a link to ${email}. Your account is not deleted before you open it and confirm.`,
  confirmDeletion: 'Delete your account?',
  confirmDeletionLead: 'This account and all its data will be deleted. This cannot be undone.',
  keepAccount: 'Keep account',
  linkFailed: 'This link cannot delete your account',
  linkFailedLead: ({ email }: Recipient) =>
    `You are signed in as ${email}. The link was used already, has expired, is incomplete, or belongs to another account.`,
  requestNewLink: 'Request a new link',
  useAnotherAccount: 'Use another account',
} as const
