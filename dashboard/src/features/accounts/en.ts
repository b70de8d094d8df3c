export interface Recipient {
  readonly email: string
}

export const messages = {
  passwordAndSignIn: 'Password and sign-in',
  lead: 'How you sign in to your account.',
  emailAddress: 'Email address',
  sendVerification: 'Send verification email',
  verificationSent: ({ email }: Recipient) => `We sent a verification link to ${email}.`,
  changeEmail: 'Change email address',
  newEmail: 'New email address',
  changesNow: 'It changes immediately. We send a verification link to the new address.',
  changesByLink: ({ email }: Recipient) =>
    `First we send a link to ${email}. When you open it, the address changes, and we send a verification link to the new one.`,
  cannotChange: 'A verified email address cannot be changed here, because no email can be sent.',
  emailChanged: ({ email }: Recipient) => `Your email address is now ${email}. We sent a verification link to it.`,
  confirmationSent: ({ email }: Recipient) =>
    `We sent a link to ${email}. Open it in a browser in which you are signed in. Your address does not change before.`,
  password: 'Password',
  changePassword: 'Change password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  signOutOthers: 'Sign out all other devices',
  passwordChanged: 'Your password was changed.',
  passwordChangedEverywhere: 'Your password was changed. All other devices are signed out.',
  noPassword: 'Your account has no password',
  noPasswordText: ({ email }: Recipient) => `You can set one with a link that we send to ${email}.`,
  noPasswordReset: 'A password cannot be set here.',
  setPassword: 'Send link to set a password',
  setLinkSent: ({ email }: Recipient) => `We sent a link to ${email}.`,
  signInMethods: 'Sign-in methods',
  addedOn: 'Added',
  unlink: 'Unlink',
  unlinkNamed: ({ provider }: { readonly provider: string }) => `Unlink ${provider}`,
  unlinkQuestion: ({ provider }: { readonly provider: string }) => `Unlink ${provider}?`,
  unlinkText: ({ provider }: { readonly provider: string }) => `You can no longer sign in with ${provider}.`,
  unlinked: ({ provider }: { readonly provider: string }) => `${provider} was unlinked.`,
} as const
