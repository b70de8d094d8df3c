import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './passkey-sign-up-en.ts'

export const messages: Translation<typeof english> = {
  title: 'Регистрация с ключом доступа',
  lead: 'Пароль не нужен: для входа достаточно отпечатка пальца, лица или PIN-кода устройства.',
  name: 'Имя',
  email: 'Электронная почта',
  continue: 'Продолжить',
  usePassword: 'Использовать пароль',
  alreadyHaveAccount: 'Уже есть аккаунт?',
  signIn: 'Войти',
  codeTitle: 'Проверьте почту',
  codeSent: ({ email }) => `Мы отправили письмо на ${email}. Введите код из него.`,
  code: 'Код',
  sendAgain: 'Отправить ещё раз',
  sendAgainIn: ({ time }) => `Отправить ещё раз через ${time}`,
  sentAgain: 'Мы отправили новое письмо. Прежнее больше не действует.',
  wrongAddress: 'Ошиблись в адресе? Изменить',
  createTitle: 'Создайте ключ доступа',
  createLead: ({ email }) =>
    `Адрес ${email} подтверждён. Последний шаг — создание аккаунта: устройство запросит отпечаток пальца, лицо или PIN-код.`,
  create: 'Создать ключ доступа',
  notHere: 'Этот браузер не умеет создавать ключи доступа. Откройте страницу в другом браузере или включите JavaScript.',
  cancelled: 'Ключ доступа не создан. Повторите попытку.',
  notPossible: 'Не удалось создать здесь ключ доступа. Попробуйте другой браузер или другое устройство.',
}
