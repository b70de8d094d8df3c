/** The texts in German. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import { requesterFacts } from '../../verifications/index.ts'
import type { CodeKind, CodeMail } from '../mails.ts'
import type { Mails } from '../texts.ts'

const german = ({ appName, say }: TextContext): Readonly<Record<CodeKind, string>> => ({
  'sign-in': say(
    `Geben Sie diesen Code ein, um sich bei ${appName} anzumelden.`,
    `Gib diesen Code ein, um dich bei ${appName} anzumelden.`,
  ),
  'email-verification': say(
    `Geben Sie diesen Code ein, um Ihre E-Mail-Adresse für ${appName} zu bestätigen.`,
    `Gib diesen Code ein, um deine E-Mail-Adresse für ${appName} zu bestätigen.`,
  ),
  'forget-password': say(
    `Geben Sie diesen Code ein, um ein neues Passwort für Ihr Konto bei ${appName} zu wählen.`,
    `Gib diesen Code ein, um ein neues Passwort für dein Konto bei ${appName} zu wählen.`,
  ),
  'change-email': say(
    `Geben Sie diesen Code ein, um diese E-Mail-Adresse für Ihr Konto bei ${appName} zu verwenden.`,
    `Gib diesen Code ein, um diese E-Mail-Adresse für dein Konto bei ${appName} zu verwenden.`,
  ),
})

const facts = { requested: 'Angefordert', device: 'Gerät', ipAddress: 'IP-Adresse', on: 'unter' }

const content = (mail: CodeMail, context: TextContext) => {
  const { say } = context
  const duration = context.duration(context.config.emailOTP.expiresIn)
  return {
    subject: say(`${mail.otp} ist Ihr Code für ${context.appName}`, `${mail.otp} ist dein Code für ${context.appName}`),
    preheader: say(`Er gilt ${duration}. Geben Sie ihn nie weiter.`, `Er gilt ${duration}. Gib ihn nie weiter.`),
    heading: say(`Ihr Code: ${mail.otp}`, `Dein Code: ${mail.otp}`),
    paragraphs: [
      german(context)[mail.type],
      say(
        'Geben Sie diesen Code nie weiter: Niemand von uns wird Sie danach fragen.',
        'Gib diesen Code nie weiter: Niemand von uns wird dich danach fragen.',
      ),
    ],
    facts: requesterFacts(mail, context, facts),
    footnote: say(
      `Der Code funktioniert einmal und gilt ${duration}. Wenn Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren.`,
      `Der Code funktioniert einmal und gilt ${duration}. Wenn du ihn nicht angefordert hast, kannst du diese E-Mail ignorieren.`,
    ),
  }
}

export const mails: MailTexts<Mails> = {
  'email-code': content,
  'sign-in-email': (mail, context) => ({
    ...content(mail, context),
    action: { label: 'Oder mit diesem Link anmelden', url: mail.url },
  }),
  'email-change-code': content,
}
