export const messages = {
  signIn: 'Sign in',
  signInLead: ({ appName }: { readonly appName: string }) => `Continue to your ${appName} account.`,
  email: 'Email',
  password: 'Password',
  rememberMe: 'Keep me signed in',
  forgotPassword: 'Forgot password?',
  noAccountYet: 'No account yet?',
  createAccount: 'Create an account',
  resetWithoutWaiting: 'Reset your password without waiting',
} as const
