/** The texts in Spanish. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { endedParts, type PartTexts } from './parts.ts'

const parts = ({ plural }: TextContext): PartTexts => ({
  ...{ password: 'contraseña', phoneNumber: 'número de teléfono', provider: (id) => `cuenta de ${id}` },
  sessions: (count) => plural(count, { one: '# sesión', other: '# sesiones' }),
  apiKeys: (count) => plural(count, { one: '# clave de API', other: '# claves de API' }),
  passkeys: (count) => plural(count, { one: '# llave de acceso', other: '# llaves de acceso' }),
  secondFactors: (count) => plural(count, { one: '# segundo factor', other: '# segundos factores' }),
  trustedBrowsers: (count) => plural(count, { one: '# navegador de confianza', other: '# navegadores de confianza' }),
})

export const mails: MailTexts<Mails> = {
  verification: ({ url }, { appName, config, duration }) => ({
    subject: `Verifica tu dirección de correo para ${appName}`,
    preheader: `Termina de configurar tu cuenta. El enlace vence en ${duration(config.emailVerification.expiresIn)}.`,
    heading: 'Verifica tu dirección de correo',
    paragraphs: [`Verifica tu dirección de correo para terminar de configurar tu cuenta de ${appName}.`],
    action: { label: 'Verificar dirección de correo', url },
    footnote: `Este enlace vence en ${duration(config.emailVerification.expiresIn)}. Si no lo solicitaste, puedes ignorar este correo.`,
  }),
  'earlier-access-ended': (ended, context) => ({
    subject: `Terminó el acceso anterior a tu cuenta de ${context.appName}`,
    preheader: 'Es posible que otra persona creara la cuenta con tu dirección de correo antes que tú.',
    heading: 'El acceso anterior terminó',
    paragraphs: [
      `Acabas de verificar que esta dirección de correo es tuya. Antes no estaba verificada, así que es posible que otra persona creara con ella esta cuenta de ${context.appName}. Por eso terminó todo lo que se había configurado antes.`,
    ],
    facts: [['Terminó', endedParts(ended, parts(context)).join(', ')]],
    footnote:
      'Si lo habías configurado tú, configúralo de nuevo en tu cuenta. Puedes seguir iniciando sesión con tu dirección de correo.',
  }),
}
