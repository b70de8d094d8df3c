/** The texts in Ukrainian. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { endedFacts, supportOf } from './facts.ts'

export const mails: MailTexts<Mails> = {
  'account-locked': (notice, context) => {
    const { appName } = context
    return {
      subject: `Ваш обліковий запис ${appName} заблоковано`,
      preheader: 'Ніхто не зможе ввійти, доки обліковий запис не розблокують.',
      heading: 'Ваш обліковий запис заблоковано',
      paragraphs: [
        `Ваш обліковий запис ${appName} заблоковано. Сеанси на всіх пристроях завершено, і ввійти не можна жодним способом.`,
        notice.opensByReset
          ? 'Щоб розблокувати його, скиньте пароль.'
          : `Розблокувати його може лише служба підтримки: ${supportOf(context) ?? 'напишіть нам'}.`,
      ],
      facts: endedFacts(notice, 'Більше не діють', ['Сеанси', 'Ключі API', 'Посилання й коди', 'Зв’язані облікові записи']),
      ...(notice.opensByReset && context.button('/forgot-password', 'Скинути пароль')),
      footnote: 'Якщо його заблокували не ви, це зробила інша людина з доступом до вашої пошти або служба підтримки.',
    }
  },
  'account-unlocked': (_, context) => {
    const { appName } = context
    return {
      subject: `Ваш обліковий запис ${appName} розблоковано`,
      preheader: 'Перевірте, що могла змінити інша людина.',
      heading: 'Ваш обліковий запис розблоковано',
      paragraphs: [
        `Ви знову можете ввійти до свого облікового запису ${appName}.`,
        'Можливо, доступ до нього мала інша людина. Перевірте електронну адресу й номер телефону та вилучіть незнайомі другі фактори, ключі доступу та зв’язані облікові записи.',
      ],
      ...context.button('/account/security', 'Перевірити безпеку'),
      footnote: 'Якщо розблокували не ви, заблокуйте обліковий запис знову.',
    }
  },
}
