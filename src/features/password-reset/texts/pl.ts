/** The texts in Polish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'reset-password': ({ url }, { appName, config, duration }) => ({
    subject: `Zresetuj hasło do konta ${appName}`,
    preheader: `Ustaw nowe hasło. Czas ważności linku: ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)}.`,
    heading: 'Zresetuj hasło',
    paragraphs: [`Otrzymaliśmy prośbę o zresetowanie hasła do Twojego konta ${appName}.`],
    action: { label: 'Zresetuj hasło', url },
    footnote: `Ten link działa jeden raz. Czas ważności: ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)}. Jeśli ta prośba nie pochodzi od Ciebie, zignoruj ten e-mail. Hasło się nie zmieni.`,
  }),
}
