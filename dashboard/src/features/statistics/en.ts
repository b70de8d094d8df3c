/** The overview of the instance. */
import type { Format } from '../../i18n/format.ts'

export interface Of {
  readonly count: string
  readonly total: string
}
export interface Summary {
  readonly total: string
  readonly first: string
  readonly last: string
}

export const messages = {
  signInPolicy: 'Sign-in policy',
  overview: 'Overview',
  lead: ({ users }: { readonly users: string }) => `All users of this instance: ${users}.`,
  leadAbout: ({ users }: { readonly users: string }) => `All users of this instance: about ${users}.`,
  range: 'Range',
  day: '24 h',
  week: '7 d',
  month: '30 d',
  quarter: '90 d',
  view: 'View',
  chart: 'Chart',
  table: 'Table',

  signIns: 'Sign-ins',
  failed: 'Failed',
  succeeded: 'Succeeded',
  failedShare: ({ share }: { readonly share: string }) => `${share} of all`,
  againstBefore: ({ change }: { readonly change: string }) => `${change} vs. previous period`,
  signUpPeak: ({ at, count }: { readonly at: string; readonly count: string }) => `${at}: ${count} sign-ups`,
  peak: ({ at, count }: { readonly at: string; readonly count: string }) => `${at}: ${count} failed`,
  signInsSummary: ({ total, failed, first, last }: Summary & { readonly failed: string }) =>
    `Sign-ins from ${first} to ${last}: ${total} succeeded, ${failed} failed.`,
  failedSignIns: 'View failed sign-ins',

  signUps: 'Sign-ups',
  signUpsSummary: ({ total, first, last }: Summary) => `Sign-ups from ${first} to ${last}: ${total}.`,
  createdUsers: 'View the users of this range',

  funnel: 'Email verification',
  signedUp: 'Signed up',
  emailSent: 'Verification email sent',
  emailVerified: 'Email verified',
  signedIn: 'Signed in for the first time',
  verifiedOfAll: 'of the sign-ups verified',
  unverifiedUsers: 'View unverified users',

  invitations: 'Invitations to organizations',
  acceptedOfAll: 'accepted',
  invitationsSent: 'Sent',
  invitationsAccepted: 'Accepted',
  invitationsRejected: 'Rejected',
  invitationsCanceled: 'Canceled',
  invitationsExpired: 'Expired',
  sentInvitations: 'View the events of sent invitations',
  count: 'Count',

  activeUsers: 'Active users',
  today: 'today so far',
  perDay: 'Day',
  perWeek: '7 days',
  perMonth: '30 days',
  activeSummary: ({ name, first, last }: { readonly name: string; readonly first: string; readonly last: string }) =>
    `Active users, ${name}: from ${first} to ${last}.`,
  recentUsers: 'View recently active users',

  rateLimits: 'Rate limits reached',
  call: 'Call',
  noLimits: 'No rate limit was reached.',
  limitEvents: 'View rejected calls',

  mails: 'Emails sent',
  mailsFailed: 'Not delivered',
  mailsSummary: ({ total, failed, first, last }: Summary & { readonly failed: string }) =>
    `Emails from ${first} to ${last}: ${total} sent, ${failed} failed.`,
  kind: 'Kind',
  sent: 'Sent',
  outbox: 'View the outbox',
  time: 'Time',
  share: 'Share',

  health: 'Health',
  database: 'Database',
  mail: 'Mail',
  jobs: 'Jobs',
  auditChain: 'Audit chain',
  configuration: 'Configuration',
  migrations: 'Migrations',
  poolUsed: ({ latency, active, size }: { readonly latency: string; readonly active: string; readonly size: string }) =>
    `${latency} ms, ${active} of ${size} used`,
  latency: ({ latency }: { readonly latency: string }) => `${latency} ms`,
  noResponse: 'No response',
  readOnly: 'Read-only',
  mailFailed: ({ count }: { readonly count: number }, { plural }: Format) =>
    plural(count, { one: '# failed', other: '# failed' }),
  mailWaiting: ({ count }: { readonly count: number }, { plural }: Format) =>
    plural(count, { one: '# waiting', other: '# waiting' }),
  mailNotConfigured: 'Not configured',
  jobsProblem: ({ failed, late }: { readonly failed: string; readonly late: string }) => `${failed} failed, ${late} late`,
  onTime: 'On time',
  chainVerified: ({ time }: { readonly time: string }) => `Verified ${time}`,
  chainBroken: 'Broken',
  chainUnverified: 'Not verified yet',
  inSync: 'In sync with the file',
  fileChanged: 'File changed',
  current: 'Up to date',
  pending: 'Pending or drifted',
  ok: 'In order',
  warning: 'Needs attention',
  broken: 'Does not work',

  firstUse: 'Nothing to show yet',
  firstUseText: 'Charts of sign-ups, sign-ins and emails appear here as users arrive. Create the first user in the terminal:',
  command: 'Command',
  copyCommand: 'Copy the command',
} as const
