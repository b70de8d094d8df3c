/** Texts of the sign-in page itself; each method has its own. */
export const messages = {
  signIn: 'Sign in',
  signInLead: ({ appName }: { readonly appName: string }) => `Continue to your ${appName} account.`,
  noAccountYet: 'No account yet?',
  createAccount: 'Create an account',
  accountCreated: 'Your account is ready. Sign in to continue.',
  signedInAs: 'You are signed in',
  signedInLead: ({ email }: { readonly email: string }) => `You are signed in as ${email}.`,
  continueAs: ({ name }: { readonly name: string }) => `Continue as ${name}`,
  useAnotherAccount: 'Use another account',
  addAccount: 'Add another account',
  stayLead: ({ email }: { readonly email: string }) => `You stay signed in as ${email}.`,
  backToAccount: 'Back to your account',
  noMethod: 'No sign-in method is enabled on this site.',
} as const
