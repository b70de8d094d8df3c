/** The texts in Spanish. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import { requesterFacts } from '../../verifications/index.ts'
import type { CodeKind, CodeMail } from '../mails.ts'
import type { Mails } from '../texts.ts'

const spanish = (appName: string): Readonly<Record<CodeKind, string>> => ({
  'sign-in': `Escribe este código para iniciar sesión en ${appName}.`,
  'email-verification': `Escribe este código para verificar tu dirección de correo para ${appName}.`,
  'forget-password': `Escribe este código para elegir una nueva contraseña para tu cuenta de ${appName}.`,
  'change-email': `Escribe este código para usar esta dirección de correo en tu cuenta de ${appName}.`,
})

const facts = { requested: 'Solicitado', device: 'Dispositivo', ipAddress: 'Dirección IP', on: 'en' }

const content = (mail: CodeMail, context: TextContext) => {
  const duration = context.duration(context.config.emailOTP.expiresIn)
  return {
    subject: `${mail.otp} es tu código de ${context.appName}`,
    preheader: `Vence en ${duration}. No lo compartas nunca.`,
    heading: `Tu código: ${mail.otp}`,
    paragraphs: [spanish(context.appName)[mail.type], 'No compartas nunca este código: jamás te lo pediremos.'],
    facts: requesterFacts(mail, context, facts),
    footnote: `El código funciona una sola vez y vence en ${duration}. Si no lo solicitaste, puedes ignorar este correo.`,
  }
}

export const mails: MailTexts<Mails> = {
  'email-code': content,
  'sign-in-email': (mail, context) => ({
    ...content(mail, context),
    action: { label: 'O inicia sesión con este enlace', url: mail.url },
  }),
  'email-change-code': content,
}
