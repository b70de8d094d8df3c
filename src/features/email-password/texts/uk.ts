/** The texts in Ukrainian. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'account-exists': (_, { appName }) => ({
    subject: `У вас уже є обліковий запис ${appName}`,
    preheader: 'З вашою електронною адресою намагалися зареєструватися. Нічого не змінилося.',
    heading: 'У вас уже є обліковий запис',
    paragraphs: [
      `Під час реєстрації в ${appName} вказали цю електронну адресу. У вас уже є обліковий запис, тому новий не створено.`,
      'Увійдіть із паролем. Якщо ви його не пам’ятаєте, надішліть запит на скидання пароля.',
    ],
    footnote: 'Якщо ви цього не робили, не зважайте на цей лист. Нічого не змінилося.',
  }),
}
