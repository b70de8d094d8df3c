/** The texts in English. */
import type { MailContent, MailTexts, TextContext } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { deviceIn, signInFacts, supportOf } from './facts.ts'

const wasYou = "If this was you, you don't need to do anything."

const facts = { time: 'Time', device: 'Device', ipAddress: 'IP address', on: 'on' }

const passwordRemoved = ({ appName }: TextContext): MailContent => ({
  subject: `The password of your ${appName} account was removed`,
  preheader: 'Another person may have set it before your email address was verified.',
  heading: 'Your password was removed',
  paragraphs: [
    `Your ${appName} account had a password from before your email address was verified. Another person may have set it, so it no longer works.`,
  ],
  footnote: 'To sign in with a password again, request a password reset and choose a new one.',
})

export const mails: MailTexts<Mails> = {
  'sign-in-method-removed': ({ providerId, reason }, context) =>
    reason === 'email-verified'
      ? passwordRemoved(context)
      : {
          subject: `A sign-in method of your ${context.appName} account was removed`,
          preheader: "If this wasn't you, change your password now.",
          heading: 'A sign-in method was removed',
          paragraphs: [`Your ${context.appName} account can no longer be used with this sign-in method.`],
          facts: [['Sign-in method', providerId === 'credential' ? 'Password' : providerId]],
          footnote: `${wasYou} If it wasn't, change your password now: someone else may have access to your account.`,
        },
  'account-banned': ({ expiresAt }, { appName, time }) => ({
    subject: `Your ${appName} account was banned`,
    preheader: expiresAt === null ? 'You cannot sign in any more.' : `You can sign in again after ${time(expiresAt)}.`,
    heading: 'Your account was banned',
    paragraphs: [
      `An administrator banned your ${appName} account, and its sessions were ended.`,
      expiresAt === null ? 'The ban has no end date.' : `The ban ends on ${time(expiresAt)}.`,
    ],
    footnote: 'If you believe this is an error, contact support.',
  }),
  'account-deleted': (_, { appName }) => ({
    subject: `Your ${appName} account was deleted`,
    preheader: 'Your account and its data no longer exist.',
    heading: 'Your account was deleted',
    paragraphs: [`Your ${appName} account and its data were deleted.`],
    footnote: "If you didn't expect this, contact support.",
  }),
  'account-impersonated': ({ time, endsAt }, context) => ({
    subject: `An administrator opened your ${context.appName} account`,
    preheader: 'An administrator can use your account for a short time.',
    heading: 'An administrator opened your account',
    paragraphs: [
      `An administrator of ${context.appName} opened your account, to see what you see. They cannot change your password or your sign-in methods.`,
    ],
    facts: [
      ['Time', context.time(time)],
      ['Ends at the latest', context.time(endsAt)],
    ],
    footnote: `If you didn't expect this, contact ${supportOf(context) ?? 'support'}.`,
  }),
  'new-sign-in': (notice, context) => ({
    subject: `New sign-in to your ${context.appName} account`,
    preheader: ['From a new device or network', deviceIn(notice.device, facts.on)].filter(Boolean).join(': '),
    heading: 'New sign-in to your account',
    paragraphs: [
      `Your ${context.appName} account was signed in to from a new device or network.`,
      ...(notice.hasReplaced ? ['It ended the session that the same browser or program had before.'] : []),
    ],
    facts: signInFacts(notice, context, facts),
    ...context.button('/account/sessions', 'Review your sessions'),
    footnote: `${wasYou} If it wasn't, change your password and revoke the session: someone else has access to your account.`,
  }),
  'session-limit': ({ sessionsEnded, maxSessions, ...signIn }, context) => {
    const oldest = context.plural(sessionsEnded, { one: 'your oldest session', other: 'your # oldest sessions' })
    return {
      subject: `A sign-in to your ${context.appName} account ended ${oldest}`,
      preheader: context.plural(maxSessions, {
        one: 'Your account can have # session.',
        other: 'Your account can have # sessions.',
      }),
      heading: `A sign-in ended ${oldest}`,
      paragraphs: [
        `Your ${context.appName} account has the maximum of ${maxSessions} sessions. A new sign-in ended ${oldest}, so a browser or program may have to sign in again.`,
      ],
      facts: signInFacts(signIn, context, facts),
      ...context.button('/account/sessions', 'Review your sessions'),
      footnote: `If a program of yours signs in each time it runs, let it keep its session or use an API key. If you don't know this sign-in, change your password: someone else has access to your account.`,
    }
  },
}
