/** The texts in Russian. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../mails.ts'

export const mails: MailTexts<Mails> = {
  'two-factor-due': ({ dueAt, days }, { appName, time, plural, button }) => {
    return {
      subject: `Настройте второй фактор для ${appName}. Срок: до ${time(dueAt)}`,
      preheader: plural(days, {
        one: 'Остался # день.',
        few: 'Осталось # дня.',
        many: 'Осталось # дней.',
        other: 'Осталось # дня.',
      }),
      heading: 'Настройте второй фактор',
      paragraphs: [
        `Для вашего аккаунта ${appName} в дополнение к паролю нужен второй фактор. Настройте его до ${time(dueAt)}. После этого его придётся настроить при следующем входе, а другие сеансы завершатся.`,
      ],
      ...button('/account/security', 'Настроить второй фактор'),
    }
  },
}
