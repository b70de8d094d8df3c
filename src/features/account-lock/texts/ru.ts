/** The texts in Russian. */
import type { MailTexts } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { endedFacts, supportOf } from './facts.ts'

export const mails: MailTexts<Mails> = {
  'account-locked': (notice, context) => {
    const { appName } = context
    return {
      subject: `Ваш аккаунт ${appName} заблокирован`,
      preheader: 'Никто не сможет войти, пока аккаунт не разблокируют.',
      heading: 'Ваш аккаунт заблокирован',
      paragraphs: [
        `Ваш аккаунт ${appName} заблокирован. Сеансы на всех устройствах завершены, и войти нельзя ни одним способом.`,
        notice.opensByReset
          ? 'Чтобы разблокировать его, сбросьте пароль.'
          : `Разблокировать его может только служба поддержки: ${supportOf(context) ?? 'напишите нам'}.`,
      ],
      facts: endedFacts(notice, 'Больше не действуют', ['Сеансы', 'Ключи API', 'Ссылки и коды', 'Связанные аккаунты']),
      ...(notice.opensByReset && context.button('/forgot-password', 'Сбросить пароль')),
      footnote: 'Если его заблокировали не вы, это сделал другой человек с доступом к вашей почте или служба поддержки.',
    }
  },
  'account-unlocked': (_, context) => {
    const { appName } = context
    return {
      subject: `Ваш аккаунт ${appName} разблокирован`,
      preheader: 'Проверьте, что мог изменить другой человек.',
      heading: 'Ваш аккаунт разблокирован',
      paragraphs: [
        `Вы снова можете войти в свой аккаунт ${appName}.`,
        'Возможно, доступ к нему был у другого человека. Проверьте адрес электронной почты и номер телефона и удалите незнакомые вторые факторы, ключи доступа и связанные аккаунты.',
      ],
      ...context.button('/account/security', 'Проверить безопасность'),
      footnote: 'Если разблокировали не вы, заблокируйте аккаунт снова.',
    }
  },
}
