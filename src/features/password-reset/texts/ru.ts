/** The texts in Russian. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'reset-password': ({ url }, { appName, config, duration }) => ({
    subject: `Сброс пароля аккаунта ${appName}`,
    preheader: `Задайте новый пароль. Срок действия ссылки: ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)}.`,
    heading: 'Сброс пароля',
    paragraphs: [`Мы получили запрос на сброс пароля вашего аккаунта ${appName}.`],
    action: { label: 'Сбросить пароль', url },
    footnote: `Ссылка действует один раз. Срок её действия: ${duration(config.emailAndPassword.resetPasswordTokenExpiresIn)}. Если вы не отправляли этот запрос, не обращайте внимания на это письмо. Пароль останется прежним.`,
  }),
}
