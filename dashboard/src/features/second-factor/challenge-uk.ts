import { unbroken } from '../../i18n/format.ts'
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './challenge-en.ts'

export const messages: Translation<typeof english> = {
  security: 'Безпека',
  title: 'Другий фактор',
  totpLead: 'Введіть код із застосунку для автентифікації.',
  smsLead: ({ to }) => `Ми надішлемо код в SMS на номер ${unbroken(to)}.`,
  emailLead: ({ to }) => `Ми надішлемо код на адресу ${unbroken(to)}.`,
  smsSent: ({ to }) => `Ми надіслали код в SMS на номер ${unbroken(to)}.`,
  emailSent: ({ to }) => `Ми надіслали код на адресу ${unbroken(to)}.`,
  backupLead: 'Введіть один із резервних кодів. Кожен діє один раз.',
  code: 'Код',
  clockHint: 'Коди залежать від часу: увімкніть на телефоні автоматичне налаштування часу.',
  backupCode: 'Резервний код',
  backupHint: ({ count }, { plural }) =>
    plural(count, {
      one: 'Залишився # резервний код.',
      few: 'Залишилося # резервні коди.',
      many: 'Залишилося # резервних кодів.',
      other: 'Залишилося # резервного коду.',
    }),
  trust: ({ count }, { plural }) =>
    plural(count, {
      one: 'Довіряти цьому браузеру # день',
      few: 'Довіряти цьому браузеру # дні',
      many: 'Довіряти цьому браузеру # днів',
      other: 'Довіряти цьому браузеру # дня',
    }),
  signIn: 'Увійти',
  confirm: 'Підтвердити',
  sendCode: 'Надіслати код',
  sendNewCode: 'Надіслати новий код',
  newCodeIn: ({ time }) => `Новий код через ${time}`,
  newCodeSent: 'Новий код надіслано.',
  anotherWay: 'Інший спосіб',
  totpWay: 'Код із застосунку для автентифікації',
  smsWay: ({ to }) => `Код в SMS на номер ${unbroken(to)}`,
  emailWay: ({ to }) => `Код на адресу ${unbroken(to)}`,
  backupWay: ({ count }, { plural }) =>
    plural(count, {
      one: 'Резервний код (залишився #)',
      few: 'Резервний код (залишилося #)',
      many: 'Резервний код (залишилося #)',
      other: 'Резервний код (залишилося #)',
    }),
  noWay: 'Жоден із ваших других факторів зараз не можна використати. Увійдіть іншим способом або зверніться по допомогу.',
  cancel: 'Скасувати вхід',
  startAgain: 'Почати знову',
  tooNew: ({ time }) => `Ви нещодавно додали цей другий фактор. Скористайтеся іншим або зачекайте до ${time}.`,
}
