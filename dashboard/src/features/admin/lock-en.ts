import type { Format } from '../../i18n/format.ts'

export interface Named {
  readonly name: string
}
export interface Counted {
  readonly count: number
}

export const messages = {
  lockQuestion: ({ name }: Named) => `Lock the account of ${name}?`,
  lockText: 'For an account that another person may have taken over. This ends immediately:',
  lock: 'Lock account',
  sessions: ({ count }: Counted, { plural }: Format) => plural(count, { one: '# session', other: '# sessions' }),
  apiKeys: ({ count }: Counted, { plural }: Format) => plural(count, { one: '# API key', other: '# API keys' }),
  linksAndCodes: ({ count }: Counted, { plural }: Format) =>
    plural(count, { one: '# pending link or code', other: '# pending links and codes' }),
  linkedAccounts: ({ count }: Counted, { plural }: Format) =>
    plural(count, { one: 'The stored tokens of # linked account', other: 'The stored tokens of # linked accounts' }),
  trustedBrowsers: ({ count }: Counted, { plural }: Format) =>
    plural(count, { one: '# trusted browser', other: '# trusted browsers' }),
  everySignIn: 'Every sign-in, with any method, until the account is unlocked',
  reason: 'Reason',
  reasonHint: 'Other administrators see it. It stays in the audit log.',
  allowReset: 'A password reset by email may open the account',
  allowResetHint: 'Only if the email address is still that of the owner: a thief may have changed it.',
  lockDone: ({ name }: Named) => `The account of ${name} is locked.`,
  unlockQuestion: ({ name }: Named) => `Unlock the account of ${name}?`,
  unlockText: ({ email }: { readonly email: string }) =>
    `Check first that ${email} is the email address of the owner: a thief may have changed it. The user must choose a new password at the next sign-in, with a link that is sent to it.`,
  unlock: 'Unlock account',
  unlockDone: ({ name }: Named) => `The account of ${name} is unlocked.`,
} as const
