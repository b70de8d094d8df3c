/** The views of better-auth-ui 3.4.0, and what a test of each has seen against Latchkey. */

export interface ComponentView {
  /** Below `/auth`, `/account` or `/organization` of the application. */
  readonly path: string
  /** A text that the view shows once its calls have succeeded. */
  readonly shows: string
  /** What the view is for, or what it needs; for docs/compatibility.md. */
  readonly works: string
  /** Where the library goes on to by itself. */
  readonly leadsTo?: string
}

/** For a visitor without a session. */
export const visitorViews: readonly ComponentView[] = [
  {
    path: 'auth/sign-in',
    shows: 'Enter your email below to login',
    works: 'email address or username, password, remember me, passkey, provider',
  },
  {
    path: 'auth/sign-up',
    shows: 'Enter your information to create an account',
    works: 'name, username, email address, password, provider',
  },
  { path: 'auth/forgot-password', shows: 'Enter your email to reset your password', works: 'sends the reset link' },
  {
    path: 'auth/reset-password?token=unknown',
    shows: 'Enter your new password below',
    works: 'sets the password with the token of the link',
  },
  { path: 'auth/magic-link', shows: 'Enter your email to receive a magic link', works: 'sends the link' },
  { path: 'auth/email-otp', shows: 'Enter your email to receive a code', works: 'sends the code, and signs in with it' },
  {
    path: 'auth/email-verification?email=ann%40example.com',
    shows: 'Please check your email for the verification code',
    works: 'verifies with a code',
  },
  { path: 'auth/two-factor', shows: 'Please enter your one-time password', works: 'code of an app or of an email' },
  { path: 'auth/recover-account', shows: 'Please enter a backup code', works: 'backup code' },
  {
    path: 'auth/accept-invitation?invitationId=unknown',
    shows: 'Enter your email below to login',
    works: 'asks for a sign-in first',
    leadsTo: 'auth/sign-in',
  },
]

/** For a signed-in user. */
export const userViews: readonly ComponentView[] = [
  {
    path: 'auth/callback',
    shows: 'Enter the email address you want to use to log in',
    works: 'goes on to the target',
    leadsTo: 'account/settings',
  },
  {
    path: 'account/settings',
    shows: 'Switch between your currently signed in accounts',
    works: 'picture, username, name, email address, verification email, several sessions',
  },
  {
    path: 'account/security',
    shows: 'Add Passkey',
    works: 'password, providers, second factor, passkeys, sessions, deletion of the account',
  },
  { path: 'account/teams', shows: 'Teams', works: 'the teams of the user' },
  {
    path: 'account/api-keys',
    shows: 'Generate API keys to access your account',
    works: 'create, list and delete keys; needs `apiKey.listAsObject: true`',
  },
  {
    path: 'account/organizations',
    shows: 'Manage your organizations and memberships',
    works: 'create, list and leave organizations; own invitations, with a verified email address',
  },
]

/** For an owner, with an active organization. */
export const organizationViews: readonly ComponentView[] = [
  { path: 'organization/settings', shows: 'Permanently remove your organization', works: 'logo, name, slug, deletion' },
  {
    path: 'organization/members',
    shows: 'Invite new members to your organization',
    works: 'list, invite, change the role, remove, and the teams of a member',
  },
  { path: 'organization/teams', shows: 'Manage your teams within your organization', works: 'create, rename, delete' },
  {
    path: 'organization/api-keys',
    shows: 'Generate API keys to access your account',
    works: 'keys of the user whose `metadata` name the organization; needs `apiKey.enableMetadata: true`',
  },
  { path: 'auth/sign-out', shows: 'Enter your email below to login', works: 'signs out', leadsTo: 'auth/sign-in' },
]
