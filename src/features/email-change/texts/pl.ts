/** The texts in Polish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'change-email': ({ url, newEmail }, { appName, config, duration }) => ({
    subject: `Potwierdź nowy adres e-mail dla ${appName}`,
    preheader: `Nowy adres Twojego konta: ${newEmail}.`,
    heading: 'Zmiana adresu e-mail',
    paragraphs: [`Otrzymaliśmy prośbę o zmianę adresu e-mail Twojego konta ${appName}.`],
    facts: [['Nowy adres e-mail', newEmail]],
    action: { label: 'Zmień adres e-mail', url },
    footnote: `Czas ważności linku: ${duration(config.emailVerification.expiresIn)}. Otwórz go w przeglądarce, w której używasz swojego konta. Jeśli ta prośba nie pochodzi od Ciebie, zmień hasło: ktoś inny może mieć dostęp do Twojego konta.`,
  }),
  'email-in-use': (_, { appName }) => ({
    subject: `Twój adres e-mail jest już używany w ${appName}`,
    preheader: 'W innym koncie próbowano ustawić Twój adres e-mail. Nic się nie zmieniło.',
    heading: 'Twój adres e-mail jest już używany',
    paragraphs: [
      `W innym koncie ${appName} poproszono o zmianę adresu e-mail na ten. Należy on do Twojego konta, więc nic się nie zmieniło.`,
      'Jeśli to drugie konto też należy do Ciebie, zaloguj się do niego i wybierz inny adres e-mail.',
    ],
    footnote: 'Jeśli ta prośba nie pochodzi od Ciebie, zignoruj ten e-mail. Nic się nie zmieniło.',
  }),
  'email-changed': (_, { appName }) => ({
    subject: `Adres e-mail konta ${appName} został zmieniony`,
    preheader: 'Ten adres nie jest już używany. Jeśli to nie Ty, skontaktuj się z nami.',
    heading: 'Adres e-mail został zmieniony',
    paragraphs: [`Twoje konto ${appName} nie używa już tego adresu e-mail.`],
    footnote: 'Jeśli to Ty, nie musisz nic robić. Jeśli nie, skontaktuj się z nami: ktoś inny może mieć dostęp do Twojego konta.',
  }),
}
