import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './passkey-sign-up-en.ts'

export const messages: Translation<typeof english> = {
  title: 'Реєстрація з ключем доступу',
  lead: 'Пароль не потрібен: для входу достатньо відбитка пальця, обличчя або PIN-коду пристрою.',
  name: 'Ім’я',
  email: 'Електронна адреса',
  continue: 'Продовжити',
  usePassword: 'Використати пароль',
  alreadyHaveAccount: 'Уже є обліковий запис?',
  signIn: 'Увійти',
  codeTitle: 'Перевірте пошту',
  codeSent: ({ email }) => `Ми надіслали лист на ${email}. Введіть код із нього.`,
  code: 'Код',
  sendAgain: 'Надіслати ще раз',
  sendAgainIn: ({ time }) => `Надіслати ще раз через ${time}`,
  sentAgain: 'Ми надіслали новий лист. Попередній більше не діє.',
  wrongAddress: 'Помилилися в адресі? Змінити',
  createTitle: 'Створіть ключ доступу',
  createLead: ({ email }) =>
    `Адресу ${email} підтверджено. Останній крок — створення облікового запису: пристрій запитає відбиток пальця, обличчя або PIN-код.`,
  create: 'Створити ключ доступу',
  notHere: 'Цей браузер не вміє створювати ключі доступу. Відкрийте сторінку в іншому браузері або ввімкніть JavaScript.',
  cancelled: 'Ключ доступу не створено. Повторіть спробу.',
  notPossible: 'Не вдалося створити тут ключ доступу. Спробуйте інший браузер або інший пристрій.',
}
