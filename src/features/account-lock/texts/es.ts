/** The texts in Spanish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { endedFacts, supportOf } from './facts.ts'

export const mails: MailTexts<Mails> = {
  'account-locked': (notice, context) => {
    const { appName } = context
    return {
      subject: `Tu cuenta de ${appName} está bloqueada`,
      preheader: 'Nadie puede iniciar sesión hasta que se desbloquee.',
      heading: 'Tu cuenta está bloqueada',
      paragraphs: [
        `Se ha bloqueado tu cuenta de ${appName}. Se ha cerrado la sesión en todos los dispositivos y nadie puede iniciar sesión con ningún método.`,
        notice.opensByReset
          ? 'Para desbloquearla, restablece tu contraseña.'
          : `Solo nuestro equipo de asistencia puede desbloquearla: ${supportOf(context) ?? 'escríbenos'}.`,
      ],
      facts: endedFacts(notice, 'Finalizado', ['Sesiones', 'Claves de API', 'Enlaces y códigos', 'Cuentas vinculadas']),
      ...(notice.opensByReset && context.button('/forgot-password', 'Restablecer contraseña')),
      footnote: 'Si no la has bloqueado, lo hizo otra persona con acceso a tu correo o nuestro equipo de asistencia.',
    }
  },
  'account-unlocked': (_, context) => {
    const { appName } = context
    return {
      subject: `Tu cuenta de ${appName} vuelve a estar disponible`,
      preheader: 'Comprueba qué pudo haber cambiado otra persona.',
      heading: 'Tu cuenta vuelve a estar disponible',
      paragraphs: [
        `Ya puedes volver a iniciar sesión en tu cuenta de ${appName}.`,
        'Es posible que otra persona haya tenido acceso. Comprueba tu dirección de correo electrónico y tu número de teléfono, y elimina los segundos factores, las llaves de acceso y las cuentas vinculadas que no reconozcas.',
      ],
      ...context.button('/account/security', 'Revisar la seguridad'),
      footnote: 'Si no la has desbloqueado, vuelve a bloquearla.',
    }
  },
}
