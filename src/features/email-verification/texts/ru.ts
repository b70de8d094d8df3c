/** The texts in Russian. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { endedParts, type PartTexts } from './parts.ts'

const parts = ({ plural }: TextContext): PartTexts => ({
  ...{ password: 'пароль', phoneNumber: 'номер телефона', provider: (id) => `аккаунт ${id}` },
  sessions: (count) => plural(count, { one: '# сеанс', few: '# сеанса', many: '# сеансов', other: '# сеанса' }),
  apiKeys: (count) => plural(count, { one: '# ключ API', few: '# ключа API', many: '# ключей API', other: '# ключа API' }),
  passkeys: (count) =>
    plural(count, { one: '# ключ доступа', few: '# ключа доступа', many: '# ключей доступа', other: '# ключа доступа' }),
  secondFactors: (count) =>
    plural(count, { one: '# второй фактор', few: '# вторых фактора', many: '# вторых факторов', other: '# второго фактора' }),
  trustedBrowsers: (count) =>
    plural(count, {
      one: '# доверенный браузер',
      few: '# доверенных браузера',
      many: '# доверенных браузеров',
      other: '# доверенного браузера',
    }),
})

export const mails: MailTexts<Mails> = {
  verification: ({ url }, { appName, config, duration }) => ({
    subject: `Подтвердите адрес электронной почты для ${appName}`,
    preheader: `Завершите настройку аккаунта. Срок действия ссылки: ${duration(config.emailVerification.expiresIn)}.`,
    heading: 'Подтвердите адрес электронной почты',
    paragraphs: [`Подтвердите адрес электронной почты, чтобы завершить настройку аккаунта ${appName}.`],
    action: { label: 'Подтвердить адрес', url },
    footnote: `Срок действия ссылки: ${duration(config.emailVerification.expiresIn)}. Если вы не отправляли этот запрос, не обращайте внимания на это письмо.`,
  }),
  'earlier-access-ended': (ended, context) => ({
    subject: `Прежний доступ к аккаунту ${context.appName} закрыт`,
    preheader: 'Возможно, аккаунт с вашим адресом электронной почты раньше создал кто-то другой.',
    heading: 'Прежний доступ закрыт',
    paragraphs: [
      `Вы только что подтвердили, что этот адрес электронной почты принадлежит вам. Раньше он не был подтверждён, поэтому аккаунт ${context.appName} с ним мог создать кто-то другой. Всё, что было настроено раньше, больше не действует.`,
    ],
    facts: [['Больше не действует', endedParts(ended, parts(context)).join(', ')]],
    footnote: 'Если всё это настроили вы, настройте это в аккаунте заново. Войти с адресом электронной почты по-прежнему можно.',
  }),
}
