import type { Format } from '../../i18n/format.ts'

export interface Count {
  readonly count: number
}

export const messages = {
  activity: 'Recent activity',
  sessions: 'Sessions',
  sessionsLead: 'Devices and apps that are signed in to your account.',
  thisDevice: 'This device',
  otherSessions: 'Other sessions',
  device: 'Device',
  ipAddress: 'IP address',
  signedIn: 'Signed in',
  lastActive: 'Last active',
  expires: 'Expires',
  ifNotUsed: 'if not used',
  unknownAddress: 'Unknown',
  signedInWith: 'Signed in with',
  password: 'Password',
  linkedAccount: 'Linked account',
  passkey: 'Passkey',
  code: 'Code',
  backupCode: 'Backup code',
  emailLink: 'Email link',
  notKnown: 'Not known',
  signOut: 'Sign out',
  revoke: 'Revoke',
  revokeNamed: ({ device }: { readonly device: string }) => `Revoke the session on ${device}`,
  revokeQuestion: ({ device }: { readonly device: string }) => `Revoke the session on ${device}?`,
  revokeText: 'It ends immediately. Unsaved work on that device may be lost.',
  revokeSession: 'Revoke session',
  revoked: ({ device }: { readonly device: string }) => `The session on ${device} was revoked.`,
  revokeOthers: 'Revoke all other sessions',
  revokeOthersQuestion: 'Revoke all other sessions?',
  revokeOthersText: ({ count }: Count, { plural }: Format) =>
    `${plural(count, { one: '# session ends', other: '# sessions end' })} immediately. Unsaved work on those devices may be lost. This device stays signed in.`,
  revokeCount: ({ count }: Count, { plural }: Format) => plural(count, { one: 'Revoke # session', other: 'Revoke # sessions' }),
  revokedOthers: ({ count }: Count, { plural }: Format) =>
    plural(count, { one: '# session was revoked.', other: '# sessions were revoked.' }),
  signOutEverywhere: 'Sign out everywhere',
  signOutEverywhereLead: 'Ends all sessions, also the one on this device.',
  signOutEverywhereQuestion: 'Sign out everywhere?',
  signOutEverywhereText: ({ count }: Count, { plural }: Format) =>
    `${plural(count, { one: '# session ends', other: '# sessions end' })} immediately, also the one on this device. Unsaved work may be lost.`,
  noOthers: 'No other sessions',
  noOthersText: 'You are signed in only on this device.',
  unrecognized: "Don't recognize a session?",
  unrecognizedText: 'Revoke it, then',
  changePassword: 'change your password',
} as const
