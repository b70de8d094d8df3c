import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './sign-in-en.ts'

export const messages: Translation<typeof english> = {
  signIn: 'Вхід',
  signInLead: ({ appName }) => `Увійдіть до облікового запису ${appName}.`,
  noAccountYet: 'Ще немає облікового запису?',
  createAccount: 'Створити обліковий запис',
  accountCreated: 'Обліковий запис готовий. Увійдіть, щоб продовжити.',
  signedInAs: 'Ви ввійшли до облікового запису',
  signedInLead: ({ email }) => `Ви ввійшли як ${email}.`,
  continueAs: ({ name }) => `Продовжити як ${name}`,
  continueAsWith: ({ name, how }) => `Продовжити як ${name} ${how}`,
  notAnn: ({ name }) => `Ви не ${name}? Увійти до іншого облікового запису`,
  email: 'Електронна адреса',
  emailOrUsername: 'Електронна адреса або ім’я користувача',
  emailOrPhone: 'Електронна адреса або номер телефону',
  emailUsernameOrPhone: 'Електронна адреса, ім’я користувача або телефон',
  phoneNumber: 'Номер телефону',
  continue: 'Продовжити',
  change: 'Змінити',
  anotherWay: 'Інший спосіб',
  useAnotherAccount: 'Увійти до іншого облікового запису',
  addAccount: 'Додати інший обліковий запис',
  stayLead: ({ email }) => `Ви залишитеся і в обліковому записі ${email}.`,
  backToAccount: 'Повернутися до облікового запису',
  noMethod: 'На цьому сайті не ввімкнено жодного способу входу.',
}
