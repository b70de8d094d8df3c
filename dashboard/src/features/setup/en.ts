export const messages = {
  setPassword: 'Set your password',
  setPasswordLead: ({ email }: { readonly email: string }) => `Choose the password for ${email}. This link works once.`,
  savePassword: 'Set password',
  saved: 'Your password is set',
  savedLead: ({ email }: { readonly email: string }) => `You can now sign in as ${email}.`,
  signIn: 'Sign in',
  linkFailed: 'This link no longer works',
  linkFailedLead: 'It was used already, it has expired, or it is incomplete.',
  linkFailedOperator: 'If you operate this site, create a new one on the server with:',
  copyCommand: 'Copy the command',
} as const
