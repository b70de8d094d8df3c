/** The texts in Polish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'delete-account': ({ url }, { appName, config, duration }) => ({
    subject: `Potwierdź usunięcie konta ${appName}`,
    preheader: 'Wszystkie dane konta zostaną usunięte. Tej czynności nie można cofnąć.',
    heading: 'Usunięcie konta',
    paragraphs: [
      `Otrzymaliśmy prośbę o usunięcie Twojego konta ${appName}.`,
      'Konto i wszystkie jego dane zostaną usunięte. Tej czynności nie można cofnąć.',
    ],
    action: { label: 'Usuń konto', url },
    footnote: `Ten link działa jeden raz. Czas ważności: ${duration(config.user.deleteUser.deleteTokenExpiresIn)}. Otwórz go w przeglądarce, w której używasz swojego konta. Jeśli ta prośba nie pochodzi od Ciebie, zmień hasło: ktoś inny może mieć dostęp do Twojego konta.`,
  }),
}
