interface Recipient {
  readonly email: string
}

/** Sign-up with an email address and a passkey. */
export const messages = {
  title: 'Sign up with a passkey',
  lead: 'You need no password: your fingerprint, your face or the PIN of your device signs you in.',
  name: 'Name',
  email: 'Email',
  continue: 'Continue',
  usePassword: 'Use a password instead',
  alreadyHaveAccount: 'Already have an account?',
  signIn: 'Sign in',
  codeTitle: 'Check your email',
  codeSent: ({ email }: Recipient) => `We sent an email to ${email}. Enter the code from it here.`,
  code: 'Code',
  sendAgain: 'Send again',
  sendAgainIn: ({ time }: { readonly time: string }) => `Send again in ${time}`,
  sentAgain: 'We sent a new one. The one before does not work any more.',
  wrongAddress: 'Wrong address? Change it',
  createTitle: 'Create your passkey',
  createLead: ({ email }: Recipient) =>
    `${email} is verified. The last step creates your account: your device asks for your fingerprint, your face or its PIN.`,
  create: 'Create passkey',
  notHere: 'This browser cannot create passkeys. Use another one, or turn on JavaScript.',
  cancelled: 'No passkey was created. Try again.',
  notPossible: 'The passkey could not be created here. Try another browser or device.',
} as const
