/** The texts in Polish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'account-linked': ({ provider, hasRevoked }, { appName }) => ({
    subject: `Z kontem ${appName} połączono konto ${provider}`,
    preheader: `Do konta ${appName} można teraz zalogować się przez ${provider}.`,
    heading: `Możesz teraz logować się przez ${provider}`,
    paragraphs: [
      `Z Twoim kontem ${appName} połączono konto ${provider}. Można go teraz używać do logowania.`,
      ...(hasRevoked
        ? [
            'Adres e-mail Twojego konta nie był wcześniej zweryfikowany, więc mógł się z nim zarejestrować ktoś inny. Wszystkie urządzenia zostały wylogowane, a hasło i inne wcześniejsze metody logowania usunięte. Aby znów logować się hasłem, poproś o zresetowanie hasła i ustaw nowe.',
          ]
        : []),
    ],
    footnote:
      'Jeśli to Ty, nie musisz nic robić. Jeśli nie, odłącz je na swoim koncie i zmień hasło: ktoś inny może mieć dostęp.',
  }),
}
