export interface Recipient {
  readonly email: string
}

/** Codes and links by email, on the pages of visitors. */
export const messages = {
  signInByEmail: 'Sign in by email',
  withEmail: 'by email',
  emailCode: 'Send a code by email',
  emailLink: 'Send a link by email',
  byEmailTitle: 'Sign in by email',
  codeLead: 'We send you a code. You need no password.',
  linkLead: 'We send you a link. You need no password.',
  codeLeadSignUp: 'We send you a code. If you have no account yet, we create one.',
  linkLeadSignUp: 'We send you a link. If you have no account yet, we create one.',
  email: 'Email',
  sendCode: 'Send code',
  sendLink: 'Send link',
  otherMethods: 'Other sign-in methods',
  checkEmail: 'Check your email',
  codeSent: ({ email }: Recipient) => `We sent a code to ${email}, unless no account can be created for it. Enter it here.`,
  linkSent: ({ email }: Recipient) =>
    `We sent an email to ${email}, unless no account can be created for it. Open its link in this browser, or enter its code here.`,
  requestedAt: ({ time }: { readonly time: string }) => `The email was requested at ${time}.`,
  code: 'Code',
  openMailbox: ({ provider }: { readonly provider: string }) => `Open ${provider}`,
  signIn: 'Sign in',
  sendAgain: 'Send again',
  sendAgainIn: ({ time }: { readonly time: string }) => `Send again in ${time}`,
  sentAgain: 'We sent a new one. The one before does not work any more.',
  wrongAddress: 'Wrong address? Change it',
  linkTitle: 'Sign in with this link',
  askedAt: ({ email, time }: Recipient & { readonly time: string }) => `A link to sign in as ${email} was requested at ${time}.`,
  askedAtFrom: ({ email, time, device }: Recipient & { readonly time: string; readonly device: string }) =>
    `A link to sign in as ${email} was requested at ${time} with ${device}.`,
  createsAccount: 'There is no account with this address yet. Signing in creates one.',
  notRequested: 'If you did not request it, close this page. Never give the code to anyone.',
  signInHere: 'Sign in on this device',
  askedElsewhere: 'I asked on another device',
  switchesFrom: ({ current, email }: Recipient & { readonly current: string }) =>
    `You are signed in as ${current}. Signing in switches to ${email}.`,
  codeTitle: 'Enter this code on the other device',
  codeText: 'Enter it in the window in which you asked for the link. Do that only if you asked yourself.',
  openThere: 'Open the link where you asked for it',
  openThereText: 'This link works only in the browser in which it was requested.',
  proveTitle: 'Is this your account?',
  proveLead: ({ email }: Recipient) =>
    `Someone signed up with ${email}, in another browser. If it was you, enter the password that you chose.`,
  password: 'Password',
  notMe: 'I did not sign up, or I forgot the password',
  takeOverTitle: 'Make this account yours',
  takeOverEnds:
    'Everything from before ends: all sessions, the password, linked social accounts, the phone number and API keys. The person who signed up loses access.',
  takeOver: 'Sign in and end other access',
  back: 'Back',
  linkEnded: 'This link does not work',
  newLink: 'Get a new link',
} as const
