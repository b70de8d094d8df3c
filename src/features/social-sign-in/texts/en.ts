/** The texts in English. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'account-linked': ({ provider, hasRevoked }, { appName }) => ({
    subject: `Your ${appName} account was linked to ${provider}`,
    preheader: `An account at ${provider} can now be used to sign in to ${appName}.`,
    heading: `You can now sign in with ${provider}`,
    paragraphs: [
      `Your ${appName} account was linked to an account at ${provider}, which can now be used to sign in.`,
      ...(hasRevoked
        ? [
            'Its email address had never been verified, so another person may have signed up with it. All devices were signed out, and the password and other sign-in methods from before were removed. To sign in with a password again, request a password reset and choose a new one.',
          ]
        : []),
    ],
    footnote:
      "If this was you, you don't need to do anything. If it wasn't, unlink it in your account, and change your password: someone else may have access.",
  }),
}
