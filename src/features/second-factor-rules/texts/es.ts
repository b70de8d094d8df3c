/** The texts in Spanish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../mails.ts'

export const mails: MailTexts<Mails> = {
  'two-factor-due': ({ dueAt, days }, { appName, time, plural, button }) => ({
    subject: `Configura un segundo factor para ${appName} antes del ${time(dueAt)}`,
    preheader: plural(days, { one: 'Te queda # día.', other: 'Te quedan # días.' }),
    heading: 'Configura un segundo factor',
    paragraphs: [
      `${appName} exige un segundo factor para tu cuenta, además de la contraseña. Configúralo antes del ${time(dueAt)}. Después, lo configurarás la próxima vez que inicies sesión, y las demás sesiones terminarán.`,
    ],
    ...button('/account/security', 'Configurar un segundo factor'),
  }),
}
