/** The texts in French. */
import type { MailTexts, ShortTexts, TextContext } from '../../../core/message.ts'
import { bound } from '../code-messages.ts'
import { noticeIn } from '../factor-notice.ts'
import type { Mails, Texts } from '../texts.ts'
import { resetMails, resetTexts } from './reset-fr.ts'

const notice = (write: Parameters<typeof noticeIn>[1]) =>
  noticeIn(
    {
      ...{
        factor: 'Second facteur',
        time: 'Date',
        device: 'Appareil',
        ipAddress: 'Adresse IP',
        on: 'sur',
        review: 'Examiner votre sécurité',
      },
      names: { totp: 'Application d’authentification', otp: 'Codes envoyés', passkey: 'Clé d’accès' },
    },
    write,
  )

const notYou =
  'Si ce n’était pas vous, changez votre mot de passe maintenant et examinez vos seconds facteurs\u202f: une autre personne a peut-être accès à votre compte.'
const codesLeft = ({ plural }: TextContext, left: number | null) =>
  plural(left ?? 0, { one: '# code de secours', other: '# codes de secours' })

const added = (appName: string, what: string) =>
  `${appName} : ${what} Ce n'était pas vous ? Changez votre mot de passe maintenant et examinez la sécurité de votre compte.`

export const mails: MailTexts<Mails> = {
  'two-factor-enabled': notice((_, { appName: app }) => ({
    subject: `Un second facteur a été ajouté à votre compte ${app}`,
    heading: 'Un second facteur a été ajouté',
    paragraphs: ['Désormais, la connexion à votre compte demande un second facteur.'],
    footnote: notYou,
  })),
  'two-factor-disabled': notice((_, { appName: app }) => ({
    subject: `Un second facteur a été retiré de votre compte ${app}`,
    heading: 'Un second facteur a été retiré',
    paragraphs: ['Il ne permet plus de se connecter à votre compte.'],
    footnote: notYou,
  })),
  'backup-code-used': notice(({ left }, context) => ({
    subject: `Un code de secours de votre compte ${context.appName} a été utilisé`,
    heading: 'Un code de secours a été utilisé',
    paragraphs: [`Il vous reste ${codesLeft(context, left)}.`],
    footnote: notYou,
  })),
  'backup-codes-low': notice(({ left }, context) => ({
    subject: `Il reste peu de codes de secours pour votre compte ${context.appName}`,
    heading: `Il vous reste ${codesLeft(context, left)}`,
    paragraphs: ['Créez de nouveaux codes de secours, afin de pouvoir vous connecter si vous perdez votre téléphone.'],
    footnote: 'Les codes précédents ne fonctionnent plus quand vous en créez de nouveaux.',
  })),
  'backup-codes-created': notice((_, { appName: app }) => ({
    subject: `Nouveaux codes de secours pour votre compte ${app}`,
    heading: 'De nouveaux codes de secours ont été créés',
    paragraphs: ['Les codes précédents ne fonctionnent plus.'],
    footnote: notYou,
  })),
  'password-may-be-known': notice((_, { appName: app }) => ({
    subject: `Une autre personne connaît peut-être votre mot de passe ${app}`,
    heading: 'Une autre personne connaît peut-être votre mot de passe',
    paragraphs: [
      'Le bon mot de passe ou une autre preuve a été fourni, mais pas le second facteur. Aucun accès à votre compte n’a été accordé.',
    ],
    footnote: 'Si c’était vous, vous n’avez rien à faire. Sinon, changez votre mot de passe maintenant.',
  })),
  'trusted-browser-copied': notice((_, { appName: app }) => ({
    subject: `Un navigateur de confiance de votre compte ${app} a été copié`,
    heading: 'Un navigateur de confiance a été copié',
    paragraphs: [
      'Une ancienne copie du cookie de l’un de vos navigateurs de confiance a été utilisée. Ce navigateur n’est plus de confiance.',
    ],
    footnote: 'Examinez vos sessions, et changez votre mot de passe si vous ne reconnaissez pas l’une d’elles.',
  })),
  'two-factor-suspended': notice((_, { appName: app }) => ({
    subject: `Les codes de votre compte ${app} ont été désactivés`,
    heading: 'Les codes ont été désactivés',
    paragraphs: [
      'Trop de codes incorrects ont été saisis pour votre compte. Connectez-vous avec un code de secours, et configurez à nouveau votre application d’authentification.',
      'Si vous n’avez pas encore configuré de second facteur, changez d’abord votre mot de passe. Les codes seront ensuite envoyés à nouveau.',
    ],
    footnote: 'Une autre personne connaît votre mot de passe. Changez-le dès que vous avez accès à votre compte.',
  })),
  'two-factor-code': ({ otp }, { appName, config, duration }) => ({
    subject: `${otp} est votre code ${appName}`,
    preheader: 'Il termine votre connexion.',
    heading: otp,
    paragraphs: [
      `Ce code termine votre connexion à ${appName}. Il expire dans ${duration(config.twoFactor.otpOptions.period * 60)}.`,
    ],
    footnote:
      'Ne le communiquez jamais. Si vous n’essayez pas de vous connecter, une autre personne connaît votre mot de passe\u202f: changez-le maintenant.',
  }),
  ...resetMails,
}

export const texts: ShortTexts<Texts> = {
  'two-factor-code': ({ otp }, { appName, config, duration }) =>
    `${otp} est votre code ${appName}. Il expire dans ${duration(config.twoFactor.otpOptions.period * 60)}. Ne le communiquez jamais.${bound(config, otp)}`,
  'two-factor-enabled': (_, { appName }) => added(appName, 'un second facteur a été ajouté à votre compte.'),
  'backup-codes-created': (_, { appName }) => added(appName, 'de nouveaux codes de secours ont été créés pour votre compte.'),
  ...resetTexts,
}
