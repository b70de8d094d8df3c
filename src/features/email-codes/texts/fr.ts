/** The texts in French. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import { requesterFacts } from '../../verifications/index.ts'
import type { CodeKind, CodeMail } from '../mails.ts'
import type { Mails } from '../texts.ts'

const french = (appName: string): Readonly<Record<CodeKind, string>> => ({
  'sign-in': `Saisissez ce code pour vous connecter à ${appName}.`,
  'email-verification': `Saisissez ce code pour vérifier votre adresse e-mail pour ${appName}.`,
  'forget-password': `Saisissez ce code pour choisir un nouveau mot de passe pour votre compte ${appName}.`,
  'change-email': `Saisissez ce code pour utiliser cette adresse e-mail avec votre compte ${appName}.`,
})

const facts = { requested: 'Demandé', device: 'Appareil', ipAddress: 'Adresse IP', on: 'sur' }

const content = (mail: CodeMail, context: TextContext) => {
  const duration = context.duration(context.config.emailOTP.expiresIn)
  return {
    subject: `${mail.otp} est votre code ${context.appName}`,
    preheader: `Il expire dans ${duration}. Ne le communiquez jamais.`,
    heading: `Votre code\u202f: ${mail.otp}`,
    paragraphs: [french(context.appName)[mail.type], 'Ne communiquez jamais ce code\u202f: nous ne vous le demanderons jamais.'],
    facts: requesterFacts(mail, context, facts),
    footnote: `Le code ne fonctionne qu’une fois et expire dans ${duration}. Si vous n’avez rien demandé, vous pouvez ignorer cet e-mail.`,
  }
}

export const mails: MailTexts<Mails> = {
  'email-code': content,
  'sign-in-email': (mail, context) => ({
    ...content(mail, context),
    action: { label: 'Ou se connecter avec ce lien', url: mail.url },
  }),
  'email-change-code': content,
}
