/** The texts in Russian. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'account-exists': (_, { appName }) => ({
    subject: `У вас уже есть аккаунт ${appName}`,
    preheader: 'С вашим адресом электронной почты пытались зарегистрироваться. Ничего не изменилось.',
    heading: 'У вас уже есть аккаунт',
    paragraphs: [
      `При регистрации в ${appName} указали этот адрес электронной почты. У вас уже есть аккаунт, поэтому новый не создан.`,
      'Войдите с паролем. Если вы его не помните, запросите сброс пароля.',
    ],
    footnote: 'Если вы этого не делали, не обращайте внимания на это письмо. Ничего не изменилось.',
  }),
}
