/** Texts of sign-in with a provider. */
export interface Provider {
  readonly provider: string
}

export const messages = {
  continueWith: ({ provider }: Provider) => `Continue with ${provider}`,
  withProvider: ({ provider }: Provider) => `with ${provider}`,
  or: 'or',
  notSignedIn: 'You were not signed in',
  notSignedInWith: ({ provider }: Provider) => `You were not signed in with ${provider}`,
  accountNotLinked: ({ provider }: Provider) =>
    `There is already an account with this email address. Sign in the way you did before, then link ${provider} under “Password and sign-in”. Your email address must be verified at ${provider}.`,
  noAccountYet: 'There is no account for this sign-in yet. Create one first.',
  createAccount: 'Create an account',
  finishInOtherWindow: 'Finish signing in in the other window. This page continues then.',
  windowBlocked: 'Your browser blocked the window. Allow pop-up windows for this site, then try again.',
  anotherUser: ({ email, own }: { readonly email: string; readonly own: string }) =>
    `You signed in as ${email}. To continue on this page, sign in as ${own}.`,
} as const
