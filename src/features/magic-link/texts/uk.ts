/** The texts in Ukrainian. */
import type { MailTexts } from '../../../core/message.ts'
import { requesterFacts } from '../../verifications/index.ts'
import type { Mails } from '../texts.ts'

const facts = { requested: 'Час запиту', device: 'Пристрій', ipAddress: 'IP-адреса', on: 'на' }

export const mails: MailTexts<Mails> = {
  'magic-link': ({ url, code, ...requester }, context) => {
    const duration = context.duration(context.config.magicLink.expiresIn)
    return {
      subject: `${code} — ваш код ${context.appName}, або ввійдіть за посиланням`,
      preheader: `Термін дії посилання та коду: ${duration}.`,
      heading: `Вхід до облікового запису ${context.appName}`,
      paragraphs: [
        `Відкрийте посилання на пристрої, з якого ви надіслали запит. Якщо це інший пристрій, введіть на ньому код: ${code}`,
        'Нікому не пересилайте цей лист: ми ніколи про нього не питаємо.',
      ],
      facts: requesterFacts(requester, context, facts),
      action: { label: 'Увійти', url },
      footnote: `Посилання діє один раз. Термін його дії: ${duration}. Якщо ви не надсилали цього запиту, не зважайте на цей лист.`,
    }
  },
}
