import type { Format } from '../../i18n/format.ts'

export interface Ends {
  readonly sessions: number
  readonly apiKeys: number
  readonly linksAndCodes: number
  readonly linkedAccounts: number
  readonly trustedBrowsers: number
}

export const messages = {
  lockAccount: 'Lock my account',
  question: 'Lock your account?',
  lead: ({ email }: { readonly email: string }) =>
    `We sent the link to ${email}. If the sign-in or change in that email wasn't you, lock your account now.`,
  textLead: "We sent the link by text message. If the change in that message wasn't you, lock your account now.",
  ends: 'This ends immediately:',
  sessions: ({ sessions }: Ends, { plural }: Format) =>
    plural(sessions, { one: '# signed-in device', other: '# signed-in devices' }),
  apiKeys: ({ apiKeys }: Ends, { plural }: Format) => plural(apiKeys, { one: '# API key', other: '# API keys' }),
  linksAndCodes: ({ linksAndCodes }: Ends, { plural }: Format) =>
    plural(linksAndCodes, { one: '# pending link or code', other: '# pending links and codes' }),
  linkedAccounts: ({ linkedAccounts }: Ends, { plural }: Format) =>
    plural(linkedAccounts, { one: 'The stored access to # linked account', other: 'The stored access to # linked accounts' }),
  trustedBrowsers: ({ trustedBrowsers }: Ends, { plural }: Format) =>
    plural(trustedBrowsers, { one: '# trusted browser', other: '# trusted browsers' }),
  everySignIn: 'Every sign-in, with any method, until the account is opened again',
  opensByReset: 'After that, you open your account with a new password.',
  opensBySupport:
    'The email address of the account has changed, or it was locked before. So only our support can open it again, once they know that it is yours.',
  textOpens: 'After that, only our support can open it again, once they know that it is yours.',
  isLocked: 'The account is locked already. You can lock it again with this link.',
  wasMe: 'It was me: do nothing',
  locked: 'Your account is locked',
  lockedLead: 'All devices are signed out, and no one can sign in to it.',
  nextReset: 'Now choose a new password. It opens your account again.',
  nextSupport: 'Only our support can open it again. Contact us, and say that another person has changed your account.',
  resetPassword: 'Reset your password',
  contactSupport: 'Contact support',
  linkFailed: 'This link does not work',
  linkFailedLead:
    'It has expired, or it was used already. If another person has access to your account, reset your password, or contact support.',
} as const
