/** The texts in French. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'account-linked': ({ provider, hasRevoked }, { appName }) => ({
    subject: `Votre compte ${appName} a été associé à ${provider}`,
    preheader: `Un compte ${provider} permet maintenant de se connecter à ${appName}.`,
    heading: `Vous pouvez maintenant vous connecter avec ${provider}`,
    paragraphs: [
      `Votre compte ${appName} a été associé à un compte ${provider}, qui permet maintenant de se connecter.`,
      ...(hasRevoked
        ? [
            'Son adresse e-mail n’avait jamais été vérifiée, une autre personne s’en est donc peut-être servie pour créer le compte. Tous les appareils ont été déconnectés, et le mot de passe et les autres méthodes de connexion antérieures ont été retirés. Pour vous connecter à nouveau avec un mot de passe, demandez sa réinitialisation et choisissez-en un nouveau.',
          ]
        : []),
    ],
    footnote:
      'Si c’était vous, vous n’avez rien à faire. Sinon, dissociez-le dans votre compte, et changez votre mot de passe\u202f: une autre personne a peut-être accès.',
  }),
}
