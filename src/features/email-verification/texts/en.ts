/** The texts in English. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { endedParts, type PartTexts } from './parts.ts'

const parts = ({ plural }: TextContext): PartTexts => ({
  ...{ password: 'password', phoneNumber: 'phone number', provider: (id) => `account at ${id}` },
  sessions: (count) => plural(count, { one: '# session', other: '# sessions' }),
  apiKeys: (count) => plural(count, { one: '# API key', other: '# API keys' }),
  passkeys: (count) => plural(count, { one: '# passkey', other: '# passkeys' }),
  secondFactors: (count) => plural(count, { one: '# second factor', other: '# second factors' }),
  trustedBrowsers: (count) => plural(count, { one: '# trusted browser', other: '# trusted browsers' }),
})

export const mails: MailTexts<Mails> = {
  verification: ({ url }, { appName, config, duration }) => ({
    subject: `Confirm your email address for ${appName}`,
    preheader: `Finish setting up your account. The link expires in ${duration(config.emailVerification.expiresIn)}.`,
    heading: 'Confirm your email address',
    paragraphs: [`Confirm your email address to finish setting up your ${appName} account.`],
    action: { label: 'Confirm email address', url },
    footnote: `This link expires in ${duration(config.emailVerification.expiresIn)}. If you didn't request this, you can ignore this email.`,
  }),
  'earlier-access-ended': (ended, context) => ({
    subject: `Earlier access to your ${context.appName} account has ended`,
    preheader: 'Someone may have created the account with your email address before you did.',
    heading: 'Earlier access has ended',
    paragraphs: [
      `You have just confirmed that this email address is yours. It was not confirmed before, so someone else may have created this ${context.appName} account with it. So everything that was set up earlier has ended.`,
    ],
    facts: [['Ended', endedParts(ended, parts(context)).join(', ')]],
    footnote:
      'If you had set up these yourself, set them up again in your account. You can still sign in with your email address.',
  }),
}
