import { unbroken } from '../../i18n/format.ts'
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './challenge-en.ts'

export const messages: Translation<typeof english> = {
  security: 'Безопасность',
  title: 'Второй фактор',
  totpLead: 'Введите код из приложения-аутентификатора.',
  smsLead: ({ to }) => `Мы отправим код в SMS на номер ${unbroken(to)}.`,
  emailLead: ({ to }) => `Мы отправим код на адрес ${unbroken(to)}.`,
  smsSent: ({ to }) => `Мы отправили код в SMS на номер ${unbroken(to)}.`,
  emailSent: ({ to }) => `Мы отправили код на адрес ${unbroken(to)}.`,
  backupLead: 'Введите один из резервных кодов. Каждый действует один раз.',
  code: 'Код',
  clockHint: 'Коды зависят от времени: включите на телефоне автоматическую настройку времени.',
  backupCode: 'Резервный код',
  backupHint: ({ count }, { plural }) =>
    plural(count, {
      one: 'Остался # резервный код.',
      few: 'Осталось # резервных кода.',
      many: 'Осталось # резервных кодов.',
      other: 'Осталось # резервного кода.',
    }),
  trust: ({ count }, { plural }) =>
    plural(count, {
      one: 'Доверять этому браузеру # день',
      few: 'Доверять этому браузеру # дня',
      many: 'Доверять этому браузеру # дней',
      other: 'Доверять этому браузеру # дня',
    }),
  signIn: 'Войти',
  confirm: 'Подтвердить',
  sendCode: 'Отправить код',
  sendNewCode: 'Отправить новый код',
  newCodeIn: ({ time }) => `Новый код через ${time}`,
  newCodeSent: 'Новый код отправлен.',
  anotherWay: 'Другой способ',
  totpWay: 'Код из приложения-аутентификатора',
  smsWay: ({ to }) => `Код в SMS на номер ${unbroken(to)}`,
  emailWay: ({ to }) => `Код на адрес ${unbroken(to)}`,
  backupWay: ({ count }, { plural }) =>
    plural(count, {
      one: 'Резервный код (остался #)',
      few: 'Резервный код (осталось #)',
      many: 'Резервный код (осталось #)',
      other: 'Резервный код (осталось #)',
    }),
  noWay: 'Ни один из ваших вторых факторов сейчас использовать нельзя. Войдите другим способом или обратитесь за помощью.',
  cancel: 'Отменить вход',
  startAgain: 'Начать заново',
  tooNew: ({ time }) => `Вы недавно добавили этот второй фактор. Используйте другой или подождите до ${time}.`,
}
