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
        `Tu cuenta de ${appName} se bloqueó. La sesión se cerró en todos los dispositivos, y nadie puede iniciarla con ningún método.`,
        notice.opensByReset
          ? 'Para desbloquearla, restablece tu contraseña.'
          : `Solo nuestro equipo de ayuda puede desbloquearla. Contacta con ${supportOf(context) ?? 'el equipo'}.`,
      ],
      facts: endedFacts(notice, 'Terminado', ['Sesiones', 'Claves de API', 'Enlaces y códigos', 'Cuentas vinculadas']),
      ...(notice.opensByReset && context.button('/forgot-password', 'Restablecer contraseña')),
      footnote: 'Si no la bloqueaste tú, lo hizo otra persona con acceso a tu correo, o nuestro equipo de ayuda.',
    }
  },
  'account-unlocked': (_, context) => {
    const { appName } = context
    return {
      subject: `Se desbloqueó tu cuenta de ${appName}`,
      preheader: 'Revisa qué pudo cambiar otra persona.',
      heading: 'Se desbloqueó tu cuenta',
      paragraphs: [
        `Ya puedes volver a iniciar sesión en tu cuenta de ${appName}.`,
        'Es posible que otra persona haya tenido acceso. Revisa tu dirección de correo y tu número de teléfono, y quita los segundos factores, las llaves de acceso y las cuentas vinculadas que no reconozcas.',
      ],
      ...context.button('/account/security', 'Revisar la seguridad'),
      footnote: 'Si no la desbloqueaste tú, vuelve a bloquearla.',
    }
  },
}
