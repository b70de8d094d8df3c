export interface Recipient {
  readonly email: string
}

export const messages = {
  forgotPassword: 'Forgot your password?',
  forgotLead: 'Enter the email address of your account. We send you a link to choose a new password.',
  email: 'Email',
  byPhone: 'Use your phone number instead',
  sendLink: 'Send reset link',
  rememberedIt: 'Remember your password?',
  signIn: 'Sign in',
  newPassword: 'Choose a new password',
  newPasswordLead: 'You use it from now on to sign in.',
  savePassword: 'Save new password',
  saved: 'Your password is changed',
  savedLead: 'Sign in with your new password.',
  linkFailed: 'This link no longer works',
  linkFailedLead: 'It was used already, it has expired, or it is incomplete. You can request a new one.',
  requestNewLink: 'Request a new link',
  byCode: 'Use a code instead',
  byLink: 'Use a link instead',
  forgotLeadCode: 'Enter the email address of your account. We send you a code with which you choose a new password.',
  sendCode: 'Send code',
  codeSent: ({ email }: Recipient) => `If there is an account for ${email}, we sent it a code. Enter it with your new password.`,
  code: 'Code',
  openMailbox: ({ provider }: { readonly provider: string }) => `Open ${provider}`,
  newCodeSent: 'We sent a new code. The one before does not work any more.',
  sendNewCode: 'Send a new code',
  newCodeIn: ({ time }: { readonly time: string }) => `Send a new code in ${time}`,
} as const
