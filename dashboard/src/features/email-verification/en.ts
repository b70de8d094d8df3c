export interface Recipient {
  readonly email: string
}

export const messages = {
  checkEmail: 'Check your email',
  verifySent: ({ email }: Recipient) => `We sent an email to ${email}. Open the link in it to verify your email address.`,
  resetSent: ({ email }: Recipient) => `If there is an account for ${email}, we sent it a link to choose a new password.`,
  replaceSent: ({ email }: Recipient) =>
    `Your account needs a new password. We sent an email to ${email}. Open the link in it to choose one.`,
  replaceReason: 'An administrator requires a new password before you sign in again.',
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
  verified: 'Your email address is verified',
  verifiedLead: ({ appName }: { readonly appName: string }) => `Thank you. You can now use your ${appName} account.`,
  signIn: 'Sign in',
  confirmTitle: 'Verify your email address',
  confirmLead: ({ email }: Recipient) => `Confirm that ${email} is your email address.`,
  verify: 'Verify email address',
  changeTitle: 'Change your email address',
  changeLead: ({ email, newEmail }: Recipient & { readonly newEmail: string }) =>
    `The email address of your account changes from ${email} to ${newEmail}.`,
  confirmChange: 'Change email address',
  signInToChange: ({ email }: Recipient) => `Sign in to the account of ${email} to change its email address.`,
  proveLead: ({ email }: Recipient) =>
    `Someone signed up with ${email}, in another browser. If it was you, enter the password that you chose.`,
  proveLeadByProvider: ({ email }: Recipient) => `Someone signed up with ${email}, in another browser. If it was you, sign in.`,
  password: 'Password',
  signInWith: ({ provider }: { readonly provider: string }) => `Sign in with ${provider}`,
  notMe: 'I did not sign up, or I forgot the password',
  notMeByProvider: 'I did not sign up, or I cannot sign in',
  takeOverTitle: 'Make this account yours',
  takeOverLead: ({ email }: Recipient) => `Choose a new password for ${email}.`,
  takeOverWithoutPassword: ({ email }: Recipient) => `Verify ${email}, and sign in again afterwards.`,
  takeOverEnds:
    'Everything from before ends: all sessions, the old password, linked social accounts, the phone number and API keys. The person who signed up loses access.',
  takeOver: 'Verify and end other access',
  back: 'Back',
  notVerified: 'Your email address is not verified yet',
  verifyAgain: 'Get a new link',
} as const
