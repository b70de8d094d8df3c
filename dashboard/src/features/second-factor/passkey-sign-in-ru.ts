import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './passkey-sign-in-en.ts'

export const messages: Translation<typeof english> = {
  signInWithPasskey: 'Войти с ключом доступа',
  withPasskey: 'с ключом доступа',
  confirmWithPasskey: 'Использовать ключ доступа',
  passkeyLead: 'Используйте ключ доступа. Устройство запросит отпечаток пальца, лицо или PIN-код.',
  cancelled: 'Ключ доступа не использован. Повторите попытку или выберите другой способ.',
  wrongDomain: ({ domain }) =>
    `Ключи доступа принадлежат сайту ${domain}, и этот браузер не может использовать их по этому адресу.`,
  goToDomain: ({ domain }) => `Продолжить на ${domain}`,
  notPossible: 'Не удалось использовать здесь ключ доступа. Повторите попытку или выберите другой способ.',
}
