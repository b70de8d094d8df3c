/** The texts in Spanish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'account-linked': ({ provider, hasRevoked }, { appName }) => ({
    subject: `Tu cuenta de ${appName} se vinculó a ${provider}`,
    preheader: `Ahora una cuenta de ${provider} sirve para iniciar sesión en ${appName}.`,
    heading: `Ya puedes iniciar sesión con ${provider}`,
    paragraphs: [
      `Tu cuenta de ${appName} se vinculó a una cuenta de ${provider}, que ahora sirve para iniciar sesión.`,
      ...(hasRevoked
        ? [
            'Su dirección de correo nunca se había verificado, así que es posible que otra persona creara la cuenta con ella. Se cerró la sesión en todos los dispositivos y se quitaron la contraseña y los demás métodos de inicio de sesión anteriores. Para volver a iniciar sesión con una contraseña, solicita su restablecimiento y elige una nueva.',
          ]
        : []),
    ],
    footnote:
      'Si fuiste tú, no tienes que hacer nada. Si no, desvincúlala en tu cuenta y cambia tu contraseña: es posible que otra persona tenga acceso.',
  }),
}
