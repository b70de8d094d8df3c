/** The texts in Russian. */
import type { MailTexts } from '../../../core/message.ts'
import { requesterFacts } from '../../verifications/index.ts'
import type { Mails } from '../texts.ts'

const facts = { requested: 'Время запроса', device: 'Устройство', ipAddress: 'IP-адрес', on: 'на' }

export const mails: MailTexts<Mails> = {
  'magic-link': ({ url, code, ...requester }, context) => {
    const duration = context.duration(context.config.magicLink.expiresIn)
    return {
      subject: `${code} — ваш код ${context.appName}, или войдите по ссылке`,
      preheader: `Срок действия ссылки и кода: ${duration}.`,
      heading: `Вход в аккаунт ${context.appName}`,
      paragraphs: [
        `Откройте ссылку на устройстве, на котором вы её запросили. Если это другое устройство, введите на нём код: ${code}`,
        'Никому не пересылайте это письмо: мы никогда его не спрашиваем.',
      ],
      facts: requesterFacts(requester, context, facts),
      action: { label: 'Войти', url },
      footnote: `Ссылка действует один раз. Срок её действия: ${duration}. Если вы её не запрашивали, не обращайте внимания на это письмо.`,
    }
  },
}
