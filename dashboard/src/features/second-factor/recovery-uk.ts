import { unbroken } from '../../i18n/format.ts'
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './recovery-en.ts'

export const messages: Translation<typeof english> = {
  timeLeft: ({ time }) => `Часу на вхід: ${time}.`,
  lostFactors: 'Я не маю доступу до другого фактора',
  recover: 'Немає доступу до другого фактора',
  recoverLead: 'Якщо у вас є щось із цього списку, скористайтеся ним. Другі фактори залишаться без змін.',
  noneOfThese: 'У мене нічого з цього немає',
  resetText: ({ hours }, { plural }) => {
    const wait =
      hours % 24 === 0
        ? plural(hours / 24, { one: '# день', few: '# дні', many: '# днів', other: '# дня' })
        : plural(hours, { one: '# годину', few: '# години', many: '# годин', other: '# години' })
    return `Можна вилучити всі ваші другі фактори. Це триватиме ${wait}, щоб ви встигли скасувати запит, якщо його надіслав хтось інший.`
  },
  toEmail: ({ to }) => `Ми надішлемо код на адресу ${unbroken(to)}.`,
  toBoth: ({ to, number }) =>
    `Ми надішлемо один код на адресу ${unbroken(to)}, а інший — в SMS на номер ${unbroken(number)}. Потрібні обидва.`,
  toPhone: ({ to }) => `Ми надішлемо код в SMS на номер ${unbroken(to)}.`,
  sendCodes: 'Надіслати коди',
  newCodesIn: ({ time }) => `Нові коди через ${time}`,
  sendNewCodes: 'Надіслати нові коди',
  emailCode: 'Код із листа',
  smsCode: 'Код із SMS',
  requestReset: 'Надіслати запит на скидання',
  notPossible: 'Скинути ваші другі фактори може лише адміністратор.',
  askAdministrators: 'Ви можете звернутися до адміністратора своєї організації:',
  waiting: ({ time }) => `Запит на скидання вже надіслано. Дата скидання: ${time}.`,
  requested: 'Запит на скидання надіслано',
  requestedLead: ({ time }) => `${time} ваші другі фактори буде вилучено. Після цього ввійдіть і налаштуйте нові.`,
  requestedText:
    'Ми надсилатимемо вам листи про це. Скидання скасується, якщо ввійти з другим фактором або перейти за посиланням із листа.',
  toSignIn: 'Повернутися до входу',
  cancelQuestion: 'Скасувати скидання?',
  cancelLead: 'Ваші другі фактори залишаться без змін.',
  cancelReset: 'Скасувати скидання',
  cancelled: 'Скидання скасовано',
  cancelledLead:
    'Ваші другі фактори залишилися без змін. Якщо запит на скидання надіслали не ви, змініть пароль: його знає хтось інший.',
  changePassword: 'Змінити пароль',
  linkFailed: 'Це посилання не діє',
  linkFailedLead: 'Скидання вже скасовано або виконано.',
}
