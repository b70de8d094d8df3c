/** The texts in Polish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'account-exists': (_, { appName }) => ({
    subject: `Masz już konto ${appName}`,
    preheader: 'Ktoś próbował się zarejestrować z Twoim adresem e-mail. Nic się nie zmieniło.',
    heading: 'Masz już konto',
    paragraphs: [
      `Podczas rejestracji w ${appName} podano ten adres e-mail. Masz już konto, więc nie utworzono nowego.`,
      'Zaloguj się hasłem. Jeśli go nie pamiętasz, poproś o zresetowanie hasła.',
    ],
    footnote: 'Jeśli ta prośba nie pochodzi od Ciebie, zignoruj ten e-mail. Nic się nie zmieniło.',
  }),
}
