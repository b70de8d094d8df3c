/** The texts about a reset of second factors in English. */
import type { MailContent, MailTexts, ShortTexts, TextContext } from '../../../core/message.ts'
import { bound } from '../code-messages.ts'
import type { ResetNotice } from '../reset-mail.ts'
import { factorList, resetPage } from '../reset-page.ts'
import type { ResetMails, ResetTexts } from '../texts.ts'

const names: Readonly<Record<string, string>> = {
  totp: 'authenticator app',
  otp: 'codes that are sent',
  passkeys: 'passkeys',
  'backup-codes': 'backup codes',
}

function inEnglish(notice: ResetNotice, context: TextContext): MailContent {
  const { appName: app, time } = context
  const { stage, requestedBy, effectiveAt } = notice
  const isOwn = requestedBy === 'user'
  const who = isOwn ? 'You asked for this at sign-in' : 'An administrator requested this'
  const subjects = {
    requested: `The second factors of your ${app} account will be reset`,
    soon: `Reminder: the second factors of your ${app} account will be reset`,
    done: `The second factors of your ${app} account were reset`,
  }
  const removed = isOwn ? 'As requested at sign-in, second factors were' : 'An administrator had second factors'
  const paragraphs =
    stage === 'done'
      ? [`${removed} removed from your account, and you were signed out everywhere. Sign in again, and set up what you need.`]
      : [
          `${who}. On ${time(effectiveAt)}, second factors are removed from your account, and you are signed out everywhere.`,
          'A sign-in with a second factor cancels the reset.',
        ]
  const contact = isOwn ? 'change your password: another person knows it' : 'contact the operator of this service'
  return {
    subject: subjects[stage],
    preheader: paragraphs[0] ?? '',
    heading: stage === 'done' ? 'Your second factors were reset' : 'Your second factors will be reset',
    paragraphs,
    facts: [
      ['Second factors', factorList(notice, names)],
      ['Time', time(effectiveAt)],
    ],
    ...resetPage(context, notice, ['Cancel the reset', 'Review your security']),
    footnote:
      stage === 'done'
        ? "If you didn't ask for this, contact the operator of this service, and change your password."
        : `If you didn't ask for this, cancel the reset, and ${contact}.`,
  }
}

export const resetMails: MailTexts<ResetMails> = {
  'two-factor-reset': inEnglish,
  'two-factor-reset-code': ({ otp }, { appName, config, duration }) => ({
    subject: `${otp} is your code to reset the second factors of your ${appName} account`,
    preheader: 'It removes all of your second factors.',
    heading: otp,
    paragraphs: [
      `This code requests a reset of your second factors at ${appName}. It expires in ${duration(config.twoFactor.otpOptions.period * 60)}.`,
    ],
    footnote: "Never share it. If you didn't ask for it, another person knows your password: change it now.",
  }),
}

export const resetTexts: ShortTexts<ResetTexts> = {
  'two-factor-reset': ({ stage, effectiveAt }, { appName, time }) => {
    if (stage === 'cancelled') return `${appName}: the reset of your second factors was cancelled. They stay as they are.`
    return stage === 'done'
      ? `${appName}: your second factors were reset. Not you? Contact the operator of this service.`
      : `${appName}: your second factors will be reset on ${time(effectiveAt)}. Not you? Cancel it with the link in our email.`
  },
  'two-factor-reset-code': ({ otp }, { appName, config, duration }) =>
    `${otp} is your code to reset the second factors of your ${appName} account. It expires in ${duration(config.twoFactor.otpOptions.period * 60)}. Never share it.${bound(config, otp)}`,
}
