/** The texts in Polish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'set-up-link': ({ url }, { appName, config, duration }) => ({
    subject: `Ustaw hasło do konta ${appName}`,
    preheader: `Ustaw hasło. Czas ważności linku: ${duration(config.seed.setupLinkExpiresIn)}.`,
    heading: 'Ustaw hasło',
    paragraphs: [
      `Twoje konto ${appName} zostało przeniesione do nowego systemu logowania. Ustaw hasło, aby zalogować się ponownie. Pozostałe dane konta się nie zmieniły.`,
    ],
    action: { label: 'Ustaw hasło', url },
    footnote: `Ten link działa jeden raz. Czas ważności: ${duration(config.seed.setupLinkExpiresIn)}. Otrzymujesz go, bo ktoś próbował zalogować się z użyciem Twojego adresu e-mail. Jeśli to nie Ty, zignoruj ten e-mail.`,
  }),
}
