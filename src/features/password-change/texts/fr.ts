/** The texts in French. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import type { PasswordSource } from '../../accounts/index.ts'
import type { PasswordNotice } from '../mails.ts'
import type { Mails } from '../texts.ts'

const means: Readonly<Record<PasswordSource, string>> = {
  session: '',
  ...{
    'reset-link': ' avec un lien de réinitialisation',
    'setup-link': ' avec un lien de définition du mot de passe',
    'verification-link': ' avec un lien de vérification',
  },
  ...{ code: ' avec un code par SMS', administrator: ' par un administrateur', operator: ' par le responsable du site' },
}

function paragraphsOf(
  { by, sessionsEnded, apiKeysEnded, apiKeysLeft }: PasswordNotice,
  { appName, plural, list }: TextContext,
): string[] {
  const ended = [
    ...(sessionsEnded > 0 ? [plural(sessionsEnded, { one: '# session', other: '# sessions' })] : []),
    ...(apiKeysEnded > 0 ? [plural(apiKeysEnded, { one: '# clé API', other: '# clés API' })] : []),
  ]
  const changed = `Le mot de passe de votre compte ${appName} a été changé${means[by] ?? ''}.`
  const left = plural(apiKeysLeft, {
    one: '# clé API de votre compte fonctionne encore.',
    other: '# clés API de votre compte fonctionnent encore.',
  })
  return [
    ended.length > 0 ? `${changed} Cela a mis fin à ${list(ended)}.` : changed,
    ...(apiKeysLeft > 0 ? [`${left} Supprimez celles que vous ne reconnaissez pas.`] : []),
  ]
}

export const mails: MailTexts<Mails> = {
  'password-changed': (notice, context) => ({
    subject: `Votre mot de passe ${context.appName} a été changé`,
    preheader: 'Si ce n’était pas vous, demandez maintenant une réinitialisation du mot de passe.',
    heading: 'Votre mot de passe a été changé',
    paragraphs: paragraphsOf(notice, context),
    ...(notice.apiKeysLeft > 0 && context.button('/account/api-keys', 'Examiner vos clés API')),
    footnote:
      'Si c’était vous, vous n’avez rien à faire. Sinon, demandez maintenant une réinitialisation du mot de passe\u202f: une autre personne a peut-être accès à votre compte.',
  }),
}
