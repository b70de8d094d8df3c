import type { Format } from '../../i18n/format.ts'
import { unbroken } from '../../i18n/format.ts'

export interface Recipient {
  /** Shortened, such as `•••• ••67`. */
  readonly to: string
}
export interface Count {
  readonly count: number
}

export const messages = {
  security: 'Security',
  title: 'Second factor',
  totpLead: 'Enter the code that your authenticator app shows.',
  smsLead: ({ to }: Recipient) => `We send a code by text message to ${unbroken(to)}.`,
  emailLead: ({ to }: Recipient) => `We send a code by email to ${unbroken(to)}.`,
  smsSent: ({ to }: Recipient) => `We sent a code by text message to ${unbroken(to)}.`,
  emailSent: ({ to }: Recipient) => `We sent a code by email to ${unbroken(to)}.`,
  backupLead: 'Enter one of your backup codes. Each of them works once.',
  code: 'Code',
  clockHint: 'Codes depend on the time: let your phone set it automatically.',
  backupCode: 'Backup code',
  backupHint: ({ count }: Count, { plural }: Format) =>
    plural(count, { one: 'You have # backup code left.', other: 'You have # backup codes left.' }),
  trust: ({ count }: Count, { plural }: Format) =>
    plural(count, { one: 'Trust this browser for # day', other: 'Trust this browser for # days' }),
  signIn: 'Sign in',
  confirm: 'Confirm',
  sendCode: 'Send code',
  sendNewCode: 'Send a new code',
  newCodeIn: ({ time }: { readonly time: string }) => `New code in ${time}`,
  newCodeSent: 'A new code was sent.',
  anotherWay: 'Another way',
  totpWay: 'Code of your authenticator app',
  smsWay: ({ to }: Recipient) => `Code by text message to ${unbroken(to)}`,
  emailWay: ({ to }: Recipient) => `Code by email to ${unbroken(to)}`,
  backupWay: ({ count }: Count, { plural }: Format) =>
    plural(count, { one: 'Backup code (# left)', other: 'Backup codes (# left)' }),
  noWay: 'None of your second factors can be used now. Sign in another way, or ask for help.',
  cancel: 'Cancel sign-in',
  startAgain: 'Start again',
  tooNew: ({ time }: { readonly time: string }) =>
    `You added this second factor a short time ago. Use another one, or wait until ${time}.`,
} as const
