/** The texts in Spanish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'delete-account': ({ url }, { appName, config, duration }) => ({
    subject: `Confirma la eliminación de tu cuenta de ${appName}`,
    preheader: 'Se eliminarán todos los datos de tu cuenta. Esta acción no se puede deshacer.',
    heading: 'Elimina tu cuenta',
    paragraphs: [
      `Recibimos una solicitud para eliminar tu cuenta de ${appName}.`,
      'Tu cuenta y todos sus datos se eliminarán. Esta acción no se puede deshacer.',
    ],
    action: { label: 'Eliminar cuenta', url },
    footnote: `Este enlace funciona una sola vez y vence en ${duration(config.user.deleteUser.deleteTokenExpiresIn)}. Ábrelo en un navegador en el que tengas la sesión iniciada. Si no lo solicitaste, cambia tu contraseña: es posible que otra persona tenga acceso a tu cuenta.`,
  }),
}
