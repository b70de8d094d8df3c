/** The texts about a reset of second factors in French. */
import type { MailContent, MailTexts, ShortTexts, TextContext } from '../../../core/message.ts'
import { bound } from '../code-messages.ts'
import type { ResetNotice } from '../reset-mail.ts'
import { factorList, resetPage } from '../reset-page.ts'
import type { ResetMails, ResetTexts } from '../texts.ts'

const names: Readonly<Record<string, string>> = {
  totp: 'application d’authentification',
  otp: 'codes envoyés',
  passkeys: 'clés d’accès',
  'backup-codes': 'codes de secours',
}

const contactOf = (isOwn: boolean): string =>
  isOwn ? 'changez votre mot de passe\u202f: une autre personne le connaît' : 'contactez le responsable de ce service'

function inFrench(notice: ResetNotice, context: TextContext): MailContent {
  const { appName: app, time } = context
  const { stage, requestedBy, effectiveAt } = notice
  const isOwn = requestedBy === 'user'
  const who = isOwn ? 'Vous l’avez demandé à la connexion' : 'Un administrateur l’a demandé'
  const subjects = {
    requested: `Les seconds facteurs de votre compte ${app} seront réinitialisés`,
    soon: `Rappel\u202f: les seconds facteurs de votre compte ${app} seront réinitialisés`,
    done: `Les seconds facteurs de votre compte ${app} ont été réinitialisés`,
  }
  const removed = isOwn
    ? 'Comme demandé à la connexion, les seconds facteurs ont été'
    : 'À la demande d’un administrateur, les seconds facteurs ont été'
  const paragraphs =
    stage === 'done'
      ? [
          `${removed} retirés de votre compte, et tous vos appareils ont été déconnectés. Connectez-vous à nouveau, et configurez ce dont vous avez besoin.`,
        ]
      : [
          `${who}. Le ${time(effectiveAt)}, les seconds facteurs seront retirés de votre compte, et tous vos appareils seront déconnectés.`,
          'Une connexion avec un second facteur annule la réinitialisation.',
        ]
  return {
    subject: subjects[stage],
    preheader: paragraphs[0] ?? '',
    heading: stage === 'done' ? 'Vos seconds facteurs ont été réinitialisés' : 'Vos seconds facteurs seront réinitialisés',
    paragraphs,
    facts: [
      ['Seconds facteurs', factorList(notice, names)],
      ['Date', time(effectiveAt)],
    ],
    ...resetPage(context, notice, ['Annuler la réinitialisation', 'Examiner votre sécurité']),
    footnote:
      stage === 'done'
        ? 'Si vous n’avez rien demandé, contactez le responsable de ce service, et changez votre mot de passe.'
        : `Si vous n’avez rien demandé, annulez la réinitialisation, et ${contactOf(isOwn)}.`,
  }
}

export const resetMails: MailTexts<ResetMails> = {
  'two-factor-reset': inFrench,
  'two-factor-reset-code': ({ otp }, { appName, config, duration }) => ({
    subject: `${otp} est votre code pour réinitialiser les seconds facteurs de votre compte ${appName}`,
    preheader: 'Il retire tous vos seconds facteurs.',
    heading: otp,
    paragraphs: [
      `Ce code demande la réinitialisation de vos seconds facteurs sur ${appName}. Il expire dans ${duration(config.twoFactor.otpOptions.period * 60)}.`,
    ],
    footnote:
      'Ne le communiquez jamais. Si vous n’avez rien demandé, une autre personne connaît votre mot de passe\u202f: changez-le maintenant.',
  }),
}

export const resetTexts: ShortTexts<ResetTexts> = {
  'two-factor-reset': ({ stage, effectiveAt }, { appName, time }) => {
    if (stage === 'cancelled')
      return `${appName} : la réinitialisation de vos seconds facteurs a été annulée. Ils restent inchangés.`
    return stage === 'done'
      ? `${appName} : vos seconds facteurs ont été réinitialisés. Ce n'était pas vous ? Contactez le responsable de ce service.`
      : `${appName} : vos seconds facteurs seront réinitialisés le ${time(effectiveAt)}. Ce n'était pas vous ? Annulez avec le lien de notre e-mail.`
  },
  'two-factor-reset-code': ({ otp }, { appName, config, duration }) =>
    `${otp} est votre code pour réinitialiser les seconds facteurs de votre compte ${appName}. Il expire dans ${duration(config.twoFactor.otpOptions.period * 60)}. Ne le communiquez jamais.${bound(config, otp)}`,
}
