import { unbroken } from '../../i18n/format.ts'
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './recovery-en.ts'

export const messages: Translation<typeof english> = {
  timeLeft: ({ time }) => `Времени на вход: ${time}.`,
  lostFactors: 'У меня нет доступа ко второму фактору',
  recover: 'Нет доступа ко второму фактору',
  recoverLead: 'Если у вас есть что-то из этого списка, используйте его. Вторые факторы останутся без изменений.',
  noneOfThese: 'У меня ничего из этого нет',
  resetText: ({ hours }, { plural }) => {
    const wait =
      hours % 24 === 0
        ? plural(hours / 24, { one: '# день', few: '# дня', many: '# дней', other: '# дня' })
        : plural(hours, { one: '# час', few: '# часа', many: '# часов', other: '# часа' })
    return `Можно удалить все ваши вторые факторы. Это займёт ${wait}, чтобы вы успели отменить запрос, если его отправил кто-то другой.`
  },
  toEmail: ({ to }) => `Мы отправим код на адрес ${unbroken(to)}.`,
  toBoth: ({ to, number }) =>
    `Мы отправим один код на адрес ${unbroken(to)}, а другой — в SMS на номер ${unbroken(number)}. Нужны оба.`,
  toPhone: ({ to }) => `Мы отправим код в SMS на номер ${unbroken(to)}.`,
  sendCodes: 'Отправить коды',
  newCodesIn: ({ time }) => `Новые коды через ${time}`,
  sendNewCodes: 'Отправить новые коды',
  emailCode: 'Код из письма',
  smsCode: 'Код из SMS',
  requestReset: 'Запросить сброс',
  notPossible: 'Сбросить ваши вторые факторы может только администратор.',
  askAdministrators: 'Вы можете обратиться к администратору своей организации:',
  waiting: ({ time }) => `Запрошен сброс. Дата сброса: ${time}.`,
  requested: 'Сброс запрошен',
  requestedLead: ({ time }) => `${time} ваши вторые факторы будут удалены. После этого войдите и настройте новые.`,
  requestedText:
    'Мы будем присылать вам письма об этом. Сброс отменится, если войти со вторым фактором или перейти по ссылке из письма.',
  toSignIn: 'Вернуться ко входу',
  cancelQuestion: 'Отменить сброс?',
  cancelLead: 'Ваши вторые факторы останутся без изменений.',
  cancelReset: 'Отменить сброс',
  cancelled: 'Сброс отменён',
  cancelledLead: 'Ваши вторые факторы остались без изменений. Если сброс запросили не вы, смените пароль: его знает кто-то ещё.',
  changePassword: 'Сменить пароль',
  linkFailed: 'Эта ссылка не действует',
  linkFailedLead: 'Сброс уже отменён или выполнен.',
}
