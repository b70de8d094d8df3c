import { type Format, unbroken } from '../../i18n/format.ts'

export interface Recipient {
  /** Shortened, such as `•••• ••67`. */
  readonly to: string
}
export interface At {
  readonly time: string
}

export const messages = {
  timeLeft: ({ time }: At) => `You have ${time} left to sign in.`,
  lostFactors: 'I have lost my second factor',
  recover: 'Lost second factor',
  recoverLead: 'If you still have one of these, use it. Your second factors stay as they are then.',
  noneOfThese: 'I have none of these',
  resetText: ({ hours }: { readonly hours: number }, { plural }: Format) =>
    `You can have all of your second factors removed. It takes ${hours % 24 === 0 ? plural(hours / 24, { one: '# day', other: '# days' }) : plural(hours, { one: '# hour', other: '# hours' })}, so that you can cancel it if another person asked for it.`,
  toEmail: ({ to }: Recipient) => `We send a code by email to ${unbroken(to)}.`,
  toBoth: ({ to, number }: Recipient & { readonly number: string }) =>
    `We send a code by email to ${unbroken(to)}, and one by text message to ${unbroken(number)}. Both are needed.`,
  toPhone: ({ to }: Recipient) => `We send a code by text message to ${unbroken(to)}.`,
  sendCodes: 'Send codes',
  newCodesIn: ({ time }: At) => `New codes in ${time}`,
  sendNewCodes: 'Send new codes',
  emailCode: 'Code from the email',
  smsCode: 'Code from the text message',
  requestReset: 'Request reset',
  notPossible: 'Only an administrator can reset your second factors.',
  askAdministrators: 'You can ask an administrator of your organization:',
  waiting: ({ time }: At) => `A reset is waiting. It takes effect on ${time}.`,
  requested: 'The reset was requested',
  requestedLead: ({ time }: At) => `On ${time}, your second factors are removed. Then sign in, and set up new ones.`,
  requestedText:
    'We send you emails about it. A sign-in with a second factor cancels the reset, and so does the link in the emails.',
  toSignIn: 'Back to sign-in',
  cancelQuestion: 'Cancel the reset?',
  cancelLead: 'Your second factors then stay as they are.',
  cancelReset: 'Cancel reset',
  cancelled: 'The reset was cancelled',
  cancelledLead:
    'Your second factors stay as they are. If you did not ask for the reset, change your password: another person knows it.',
  changePassword: 'Change password',
  linkFailed: 'This link does not work',
  linkFailedLead: 'The reset was cancelled already, or it has taken effect.',
} as const
