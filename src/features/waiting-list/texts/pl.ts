/** The texts in Polish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'waiting-list-joined': (_, { appName }) => ({
    subject: `Jesteś na liście oczekujących ${appName}`,
    preheader: 'Napiszemy, gdy będzie można utworzyć konto.',
    heading: 'Jesteś na liście oczekujących',
    paragraphs: [`Dziękujemy za zainteresowanie usługą ${appName}. Wyślemy Ci e-mail, gdy będzie można utworzyć konto.`],
    footnote: 'Jeśli ta prośba nie pochodzi od Ciebie, zignoruj ten e-mail. Konto nie zostało utworzone.',
  }),
  'waiting-list-approved': ({ url }, { appName }) => ({
    subject: `Możesz teraz utworzyć konto ${appName}`,
    preheader: 'Podczas rejestracji podaj ten adres e-mail.',
    heading: 'Możesz teraz utworzyć konto',
    paragraphs: [`Nadeszła Twoja kolej na liście oczekujących ${appName}. Podczas rejestracji podaj ten adres e-mail.`],
    action: { label: 'Utwórz konto', url },
    footnote: 'Jeśli nie chcesz już konta, zignoruj ten e-mail.',
  }),
}
