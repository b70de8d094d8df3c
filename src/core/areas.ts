/** The areas of the API reference, in its order. A feature names the area of its calls. */
export const areas = {
  'Sign-up and sign-in': 'Create an account, sign in and sign out.',
  Sessions: 'Read, update and revoke sessions of the current user.',
  'Multiple sessions': 'Switch between the accounts that are signed in with one browser.',
  'One-time tokens': 'Transfer a session to another browser or app.',
  'Email verification': 'Send verification emails and verify email addresses.',
  'Codes and links by email': 'Sign in, verify email addresses and reset passwords with what an email has.',
  'Phone numbers': 'Verify phone numbers, and sign in with them.',
  'Second factor': 'Set up second factors, and prove them at sign-in and before dangerous calls.',
  Passkeys: 'Add passkeys, sign in with them, and manage them.',
  Passwords: 'Change, verify and reset passwords.',
  Organizations: 'Create organizations, manage their members, teams and roles, and invite users.',
  'Social accounts': 'Link and unlink social accounts, and use their provider tokens.',
  'API keys': 'Create, update and delete API keys of the current user, and verify API keys.',
  'JSON Web Tokens': 'Get a signed token of the current user, and the public keys to verify it.',
  'Hosted pages': 'What the hosted pages, or pages of your own, need to know.',
  'User profile': 'Update or delete the account of the current user.',
  'Setup links': 'Set the first password of an account that an operator created.',
  Administration: 'List, create, ban and impersonate users, and set their roles.',
  Exports: 'Export the rows of a list as a file.',
  'Audit log': 'Read who did what to whom.',
  Operations: 'Read the state of the installation: statistics, emails, limits, jobs, configuration and health.',
  Diagnostics: 'Check that the API responds.',
  Development: 'Tools for development: not available in production.',
  'Open-api': 'Get the OpenAPI document of this API.',
} as const

export type Area = keyof typeof areas
