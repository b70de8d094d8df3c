/** The texts in Spanish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'api-key-created': ({ start }, { appName, button }) => ({
    subject: `Se creó una clave de API para tu cuenta de ${appName}`,
    preheader: 'Los programas que tienen la clave actúan en tu nombre. Si no la creaste, elimínala.',
    heading: 'Se creó una clave de API',
    paragraphs: [`Se creó una clave de API para tu cuenta de ${appName}. Los programas que tienen la clave actúan en tu nombre.`],
    ...(start !== null && { facts: [['La clave empieza por', start]] as const }),
    ...button('/account/api-keys', 'Revisar tus claves de API'),
    footnote:
      'Si fuiste tú, no tienes que hacer nada. Si no, elimina la clave y cambia tu contraseña: otra persona tiene acceso a tu cuenta.',
  }),
}
