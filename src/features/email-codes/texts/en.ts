/** The texts in English. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import { requesterFacts } from '../../verifications/index.ts'
import type { CodeKind, CodeMail } from '../mails.ts'
import type { Mails } from '../texts.ts'

const english = (appName: string): Readonly<Record<CodeKind, string>> => ({
  'sign-in': `Enter this code to sign in to ${appName}.`,
  'email-verification': `Enter this code to confirm your email address for ${appName}.`,
  'forget-password': `Enter this code to choose a new password for your ${appName} account.`,
  'change-email': `Enter this code to use this email address for your ${appName} account.`,
})

const facts = { requested: 'Requested', device: 'Device', ipAddress: 'IP address', on: 'on' }

const content = (mail: CodeMail, context: TextContext) => {
  const duration = context.duration(context.config.emailOTP.expiresIn)
  return {
    subject: `${mail.otp} is your ${context.appName} code`,
    preheader: `It expires in ${duration}. Never share it.`,
    heading: `Your code: ${mail.otp}`,
    paragraphs: [english(context.appName)[mail.type], 'Never share this code: we will never ask you for it.'],
    facts: requesterFacts(mail, context, facts),
    footnote: `The code works once and expires in ${duration}. If you didn't request it, you can ignore this email.`,
  }
}

export const mails: MailTexts<Mails> = {
  'email-code': content,
  'sign-in-email': (mail, context) => ({
    ...content(mail, context),
    action: { label: 'Or sign in with this link', url: mail.url },
  }),
  'email-change-code': content,
}
