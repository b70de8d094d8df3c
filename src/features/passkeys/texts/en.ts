/** The texts in English. */
import type { MailTexts, ShortTexts } from '../../../core/message.ts'
import { codeLifetime } from '../code-lifetime.ts'
import type { Mails, Texts } from '../texts.ts'
import { deviceFact, passkeyFacts } from './facts.ts'

const labels = ['Passkey', 'Device or password manager', 'Time'] as const

const notYours = "If this wasn't you, someone else may have access to your account."
const ifNotYou = (what: string): string => `If this wasn't you, ${what}: someone else may have access to your account.`

export const mails: MailTexts<Mails> = {
  'passkey-added': (notice, context) => ({
    subject: `A passkey was added to your ${context.appName} account`,
    preheader: notYours,
    heading: 'A passkey was added',
    paragraphs: [
      `Your ${context.appName} account can now be signed in to with this passkey.`,
      ...(notice.isAutomatic ? ['Your browser created it when you signed in with your password.'] : []),
    ],
    facts: [...passkeyFacts(notice, context, labels), ...deviceFact(notice, 'Added with', 'on')],
    ...context.button('/account/security', "This wasn't me"),
    footnote: ifNotYou('remove the passkey, change your password and revoke your sessions'),
  }),
  'passkey-removed': (notice, context) => ({
    subject: `A passkey of your ${context.appName} account was removed`,
    preheader: notYours,
    heading: 'A passkey was removed',
    paragraphs: [`Your ${context.appName} account can no longer be signed in to with this passkey.`],
    facts: passkeyFacts(notice, context, labels),
    ...context.button('/account/security', "This wasn't me"),
    footnote: `If this was you, delete the passkey in your password manager too. ${ifNotYou('change your password and revoke your sessions')}`,
  }),
  'passkey-cloned': (notice, context) => ({
    subject: `A passkey of your ${context.appName} account was suspended`,
    preheader: 'It may have been copied, so it cannot be used to sign in.',
    heading: 'A passkey was suspended',
    paragraphs: [
      'A sign-in used this passkey with a counter that went back. That happens when someone has copied it.',
      'There was no sign-in. Sign in with another method, then remove the passkey, or allow it again if you know the reason.',
    ],
    facts: passkeyFacts(notice, context, labels),
    ...context.button('/account/security', 'Review your sign-in methods'),
  }),
  'passkey-sign-up': ({ code }, { appName, duration }) => ({
    subject: `${code} is your ${appName} code`,
    preheader: `Enter it to sign up. It expires in ${duration(codeLifetime)}.`,
    heading: 'Your code to sign up',
    paragraphs: [`Enter this code to sign up at ${appName}. It expires in ${duration(codeLifetime)}. Never share it.`],
    facts: [['Code', code]],
    footnote: "If you didn't request this, you can ignore this email.",
  }),
}

export const texts: ShortTexts<Texts> = {
  'passkey-added': (_, { appName }) =>
    `${appName}: a passkey was added to your account. Not you? Change your password now and review your account security.`,
}
