/** The texts in Polish. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../mails.ts'

export const mails: MailTexts<Mails> = {
  'two-factor-due': ({ dueAt, days }, { appName, time, plural, button }) => {
    return {
      subject: `Skonfiguruj drugi składnik dla ${appName}. Termin: ${time(dueAt)}`,
      preheader: plural(days, {
        one: 'Pozostał # dzień.',
        few: 'Pozostały # dni.',
        many: 'Pozostało # dni.',
        other: 'Pozostało # dnia.',
      }),
      heading: 'Skonfiguruj drugi składnik',
      paragraphs: [
        `Twoje konto ${appName} wymaga oprócz hasła drugiego składnika. Termin konfiguracji: ${time(dueAt)}. Po tym terminie trzeba będzie skonfigurować go przy następnym logowaniu, a inne sesje się zakończą.`,
      ],
      ...button('/account/security', 'Skonfiguruj drugi składnik'),
    }
  },
}
