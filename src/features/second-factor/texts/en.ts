/** The texts in English. */
import type { MailTexts, ShortTexts } from '../../../core/message.ts'
import { bound } from '../code-messages.ts'
import { noticeIn } from '../factor-notice.ts'
import type { Mails, Texts } from '../texts.ts'
import { resetMails, resetTexts } from './reset-en.ts'

const notice = (write: Parameters<typeof noticeIn>[1]) =>
  noticeIn(
    {
      ...{
        factor: 'Second factor',
        time: 'Time',
        device: 'Device',
        ipAddress: 'IP address',
        on: 'on',
        review: 'Review your security',
      },
      names: { totp: 'Authenticator app', otp: 'Codes that are sent', passkey: 'Passkey' },
    },
    write,
  )

const notYou =
  "If this wasn't you, change your password now and look at your second factors: someone else may have access to your account."
const codesLeft = (left: number | null) => (left === 1 ? 'one backup code' : `${left ?? 0} backup codes`)

const added = (appName: string, what: string) =>
  `${appName}: ${what} Not you? Change your password now and review your account security.`

export const mails: MailTexts<Mails> = {
  'two-factor-enabled': notice((_, { appName: app }) => ({
    subject: `A second factor was added to your ${app} account`,
    heading: 'A second factor was added',
    paragraphs: ['From now on, signing in to your account asks for a second factor.'],
    footnote: notYou,
  })),
  'two-factor-disabled': notice((_, { appName: app }) => ({
    subject: `A second factor was removed from your ${app} account`,
    heading: 'A second factor was removed',
    paragraphs: ['It can no longer be used to sign in to your account.'],
    footnote: notYou,
  })),
  'backup-code-used': notice(({ left }, { appName: app }) => ({
    subject: `A backup code of your ${app} account was used`,
    heading: 'A backup code was used',
    paragraphs: [`You have ${codesLeft(left)} left.`],
    footnote: notYou,
  })),
  'backup-codes-low': notice(({ left }, { appName: app }) => ({
    subject: `Few backup codes are left for your ${app} account`,
    heading: `You have ${codesLeft(left)} left`,
    paragraphs: ['Create new backup codes, so that you can sign in when you lose your phone.'],
    footnote: 'The codes from before end when you create new ones.',
  })),
  'backup-codes-created': notice((_, { appName: app }) => ({
    subject: `New backup codes for your ${app} account`,
    heading: 'New backup codes were created',
    paragraphs: ['The codes from before no longer work.'],
    footnote: notYou,
  })),
  'password-may-be-known': notice((_, { appName: app }) => ({
    subject: `Another person may know your ${app} password`,
    heading: 'Another person may know your password',
    paragraphs: [
      'Someone gave the right password or another proof, but not the second factor. They have no access to your account.',
    ],
    footnote: "If this was you, you don't need to do anything. If it wasn't, change your password now.",
  })),
  'trusted-browser-copied': notice((_, { appName: app }) => ({
    subject: `A trusted browser of your ${app} account was copied`,
    heading: 'A trusted browser was copied',
    paragraphs: ['Someone used an old copy of the cookie of a browser that you trust. That browser is no longer trusted.'],
    footnote: 'Look at your sessions, and change your password if you do not know one of them.',
  })),
  'two-factor-suspended': notice((_, { appName: app }) => ({
    subject: `Codes for your ${app} account were turned off`,
    heading: 'Codes were turned off',
    paragraphs: [
      'Too many wrong codes were given for your account. Sign in with a backup code, and set up your authenticator app again.',
      'If you have not set up a second factor yet, change your password first. Then codes are sent again.',
    ],
    footnote: 'Someone knows your password. Change it as soon as you are signed in.',
  })),
  'two-factor-code': ({ otp }, { appName, config, duration }) => ({
    subject: `${otp} is your ${appName} code`,
    preheader: 'It completes your sign-in.',
    heading: otp,
    paragraphs: [
      `This code completes your sign-in to ${appName}. It expires in ${duration(config.twoFactor.otpOptions.period * 60)}.`,
    ],
    footnote: "Never share it. If you didn't sign in, another person knows your password: change it now.",
  }),
  ...resetMails,
}

export const texts: ShortTexts<Texts> = {
  'two-factor-code': ({ otp }, { appName, config, duration }) =>
    `${otp} is your ${appName} code. It expires in ${duration(config.twoFactor.otpOptions.period * 60)}. Never share it.${bound(config, otp)}`,
  'two-factor-enabled': (_, { appName }) => added(appName, 'a second factor was added to your account.'),
  'backup-codes-created': (_, { appName }) => added(appName, 'new backup codes were created for your account.'),
  ...resetTexts,
}
