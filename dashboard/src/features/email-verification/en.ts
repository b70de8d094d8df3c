export interface Recipient {
  readonly email: string
}

export const messages = {
  checkEmail: 'Check your email',
  verifySent: ({ email }: Recipient) => `We sent an email to ${email}. Open the link in it to verify your email address.`,
  resetSent: ({ email }: Recipient) => `If there is an account for ${email}, we sent it a link to choose a new password.`,
  replaceSent: ({ email }: Recipient) =>
    `Your account needs a new password. We sent an email to ${email}. Open the link in it to choose one.`,
  replaceReason: 'Another person may know the current password, because it was set before your email address was verified.',
  changeSent: 'We sent you an email. Open the link in it to change your email address.',
  changeAgain: 'If it does not arrive, request the change again in your account.',
  notThere: 'Not there after a minute? Look in the spam folder, or send it again.',
  sendAgain: 'Send again',
  sendAgainIn: ({ time }: { readonly time: string }) => `Send again in ${time}`,
  sentAgain: 'We sent it again.',
  useAnotherEmail: 'Use another email address',
  backToSignIn: 'Back to sign in',
  verifyLead: 'Enter your email address. If it still has to be verified, we send it a link.',
  resetLead: 'Enter your email address. If there is an account for it, we send it a link to choose a new password.',
  email: 'Email',
  sendLink: 'Send link',
  emailVerification: 'Email verification',
  verifying: 'Verifying your email address…',
  verified: 'Your email address is verified',
  verifiedLead: ({ appName }: { readonly appName: string }) => `Thank you. You can now use your ${appName} account.`,
  signIn: 'Sign in',
  notVerified: 'Your email address is not verified yet',
  verifyAgain: 'Get a new link',
} as const
