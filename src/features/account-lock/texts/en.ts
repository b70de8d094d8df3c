/** The texts in English. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { endedFacts, supportOf } from './facts.ts'

export const mails: MailTexts<Mails> = {
  'account-locked': (notice, context) => {
    const { appName } = context
    return {
      subject: `Your ${appName} account is locked`,
      preheader: 'No one can sign in to it until it is opened again.',
      heading: 'Your account is locked',
      paragraphs: [
        `Your ${appName} account was locked. All devices were signed out, and no one can sign in to it, with any method.`,
        notice.opensByReset
          ? 'To open it again, reset your password.'
          : `Only our support can open it again: contact ${supportOf(context) ?? 'us'}.`,
      ],
      facts: endedFacts(notice, 'Ended', ['Sessions', 'API keys', 'Links and codes', 'Linked accounts']),
      ...(notice.opensByReset && context.button('/forgot-password', 'Reset your password')),
      footnote: "If you didn't lock it, another person with access to your emails, or our support, did.",
    }
  },
  'account-unlocked': (_, context) => {
    const { appName } = context
    return {
      subject: `Your ${appName} account is open again`,
      preheader: 'Check what another person may have changed.',
      heading: 'Your account is open again',
      paragraphs: [
        `You can sign in to your ${appName} account again.`,
        'Another person may have had access. Check your email address and phone number, and remove second factors, passkeys and linked accounts that you do not know.',
      ],
      ...context.button('/account/security', 'Review your security'),
      footnote: "If you didn't open it, lock it again.",
    }
  },
}
