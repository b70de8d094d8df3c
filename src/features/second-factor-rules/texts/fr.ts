/** The texts in French. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../mails.ts'

export const mails: MailTexts<Mails> = {
  'two-factor-due': ({ dueAt, days }, { appName, time, plural, button }) => ({
    subject: `Configurez un second facteur pour ${appName} avant le ${time(dueAt)}`,
    preheader: plural(days, { one: 'Il vous reste # jour.', other: 'Il vous reste # jours.' }),
    heading: 'Configurez un second facteur',
    paragraphs: [
      `${appName} exige un second facteur pour votre compte, en plus du mot de passe. Configurez-le avant le ${time(dueAt)}. Passé ce délai, vous devrez le configurer à votre prochaine connexion, et les autres sessions prendront fin.`,
    ],
    ...button('/account/security', 'Configurer un second facteur'),
  }),
}
