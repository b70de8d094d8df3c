/** The texts in Ukrainian. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../mails.ts'

export const mails: MailTexts<Mails> = {
  'two-factor-due': ({ dueAt, days }, { appName, time, plural, button }) => {
    return {
      subject: `Налаштуйте другий фактор для ${appName}. Термін: до ${time(dueAt)}`,
      preheader: plural(days, {
        one: 'Залишився # день.',
        few: 'Залишилося # дні.',
        many: 'Залишилося # днів.',
        other: 'Залишилося # дня.',
      }),
      heading: 'Налаштуйте другий фактор',
      paragraphs: [
        `Для вашого облікового запису ${appName}, крім пароля, потрібен другий фактор. Налаштуйте його до ${time(dueAt)}. Після цього його доведеться налаштувати під час наступного входу, а інші сеанси завершаться.`,
      ],
      ...button('/account/security', 'Налаштувати другий фактор'),
    }
  },
}
