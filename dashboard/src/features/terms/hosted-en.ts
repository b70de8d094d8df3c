/** The pages on which users accept or decline terms. */
export interface Recipient {
  readonly email: string
}

export const messages = {
  title: 'Terms',
  acceptTitle: 'Accept the terms',
  acceptLead: ({ appName }: { readonly appName: string }) => `Read them, and accept to continue to your ${appName} account.`,
  changedTitle: 'Our terms have changed',
  changedLead: ({ appName }: { readonly appName: string }) =>
    `Read what is new, and accept to continue to your ${appName} account.`,
  version: ({ version }: { readonly version: string }) => `Version ${version}`,
  replaces: ({ version, former }: { readonly version: string; readonly former: string }) =>
    `Version ${version}. You accepted version ${former}.`,
  whatIsNew: 'What is new:',
  read: ({ title }: { readonly title: string }) => `Read ${title} in a new tab`,
  accept: 'Accept and continue',
  notNow: 'Not now',
  postponeUntil: ({ date }: { readonly date: string }) => `You can postpone this until ${date}.`,
  decline: 'Decline',
  cancel: 'Cancel sign-in',
  declined: 'You declined the terms',
  declinedLead: 'Without them you cannot sign in. You can take your data with you and delete your account.',
  exportTitle: 'Your data',
  exportText: 'One JSON file with everything that is stored about you.',
  exportData: 'Download your data',
  deleteTitle: 'Your account',
  deleteText: ({ email }: Recipient) => `The account ${email} and all its data will be deleted. This cannot be undone.`,
  deleteAccount: 'Delete account',
  sendLink: 'Send deletion link',
  sendLinkText: ({ email }: Recipient) =>
    `We send a link to ${email}. Open it in this browser within the time that this sign-in waits.`,
  linkSent: ({ email }: Recipient) => `We sent a link to ${email}. Your account is not deleted before you open it and confirm.`,
  back: 'Back to the terms',
  signIn: 'Sign in',
  linkFailed: 'This link cannot delete your account',
  linkFailedLead: 'The link was used already, has expired, or the sign-in no longer waits. Sign in, and request a new link.',
  confirmDeletion: 'Delete your account?',
} as const
