/** The texts in Russian. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'

export const mails: MailTexts<Mails> = {
  'set-up-link': ({ url }, { appName, config, duration }) => ({
    subject: `Задайте пароль аккаунта ${appName}`,
    preheader: `Задайте пароль. Срок действия ссылки: ${duration(config.seed.setupLinkExpiresIn)}.`,
    heading: 'Задайте пароль',
    paragraphs: [
      `Ваш аккаунт ${appName} перенесён в новую систему входа. Задайте пароль, чтобы снова войти. Всё остальное в аккаунте осталось прежним.`,
    ],
    action: { label: 'Задать пароль', url },
    footnote: `Ссылка действует один раз. Срок её действия: ${duration(config.seed.setupLinkExpiresIn)}. Вы получили её, потому что кто-то пытался войти с вашим адресом электронной почты. Если это были не вы, не обращайте внимания на это письмо.`,
  }),
}
