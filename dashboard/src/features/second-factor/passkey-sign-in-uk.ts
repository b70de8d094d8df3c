import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './passkey-sign-in-en.ts'

export const messages: Translation<typeof english> = {
  signInWithPasskey: 'Увійти з ключем доступу',
  withPasskey: 'з ключем доступу',
  confirmWithPasskey: 'Використати ключ доступу',
  passkeyLead: 'Скористайтеся ключем доступу. Пристрій запитає відбиток пальця, обличчя або PIN-код.',
  cancelled: 'Ключ доступу не використано. Повторіть спробу або виберіть інший спосіб.',
  wrongDomain: ({ domain }) =>
    `Ключі доступу належать сайту ${domain}, і цей браузер не може використовувати їх за цією адресою.`,
  goToDomain: ({ domain }) => `Продовжити на ${domain}`,
  notPossible: 'Не вдалося використати тут ключ доступу. Повторіть спробу або виберіть інший спосіб.',
}
