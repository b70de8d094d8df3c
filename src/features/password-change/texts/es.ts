/** The texts in Spanish. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import type { PasswordSource } from '../../accounts/index.ts'
import type { PasswordNotice } from '../mails.ts'
import type { Mails } from '../texts.ts'

const means: Readonly<Record<PasswordSource, string>> = {
  session: '',
  ...{
    'reset-link': ' con un enlace de restablecimiento',
    'setup-link': ' con un enlace para establecer la contraseña',
    'verification-link': ' con un enlace de verificación',
  },
  ...{
    code: ' con un código por SMS',
    administrator: ' por decisión de un administrador',
    operator: ' por decisión del responsable del sitio',
  },
}

function paragraphsOf(
  { by, sessionsEnded, apiKeysEnded, apiKeysLeft }: PasswordNotice,
  { appName, plural, list }: TextContext,
): string[] {
  const ended = [
    ...(sessionsEnded > 0 ? [plural(sessionsEnded, { one: '# sesión', other: '# sesiones' })] : []),
    ...(apiKeysEnded > 0 ? [plural(apiKeysEnded, { one: '# clave de API', other: '# claves de API' })] : []),
  ]
  const changed = `La contraseña de tu cuenta de ${appName} se cambió${means[by] ?? ''}.`
  const left = plural(apiKeysLeft, {
    one: '# clave de API de tu cuenta sigue funcionando.',
    other: '# claves de API de tu cuenta siguen funcionando.',
  })
  return [
    ended.length > 0 ? `${changed} Con ello terminaron: ${list(ended)}.` : changed,
    ...(apiKeysLeft > 0 ? [`${left} Elimina las que no reconozcas.`] : []),
  ]
}

export const mails: MailTexts<Mails> = {
  'password-changed': (notice, context) => ({
    subject: `Se cambió tu contraseña de ${context.appName}`,
    preheader: 'Si no fuiste tú, solicita ahora un restablecimiento de la contraseña.',
    heading: 'Se cambió tu contraseña',
    paragraphs: paragraphsOf(notice, context),
    ...(notice.apiKeysLeft > 0 && context.button('/account/api-keys', 'Revisar tus claves de API')),
    footnote:
      'Si fuiste tú, no tienes que hacer nada. Si no, solicita ahora un restablecimiento de la contraseña: es posible que otra persona tenga acceso a tu cuenta.',
  }),
}
