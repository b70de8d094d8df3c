import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './passkey-errors-en.ts'

export const messages: Translation<typeof english> = {
  CHALLENGE_NOT_FOUND: 'Это заняло слишком много времени. Повторите попытку.',
  PASSKEY_NOT_FOUND: 'Этот ключ доступа здесь больше не известен. Войдите другим способом.',
  AUTHENTICATION_FAILED: 'Не удалось использовать ключ доступа. Повторите попытку или войдите другим способом.',
  UNABLE_TO_CREATE_SESSION: 'Не удалось войти. Повторите попытку чуть позже.',
  SESSION_REQUIRED: 'Войдите снова, чтобы добавить ключ доступа.',
  RESOLVED_USER_INVALID: 'Сейчас в этот аккаунт нельзя добавить ключ доступа.',
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'Этот ключ доступа принадлежит другому аккаунту.',
  PREVIOUSLY_REGISTERED: 'Этот ключ доступа уже добавлен.',
  FAILED_TO_VERIFY_REGISTRATION:
    'Не удалось добавить ключ доступа. Повторите попытку или используйте другое устройство либо ключ безопасности.',
  TOO_MANY_PASSKEYS: 'У вас уже максимальное количество ключей доступа. Прежде чем добавить новый, удалите один из них.',
  YOU_CANT_DELETE_YOUR_LAST_PASSKEY:
    'Этот ключ доступа — ваш единственный способ входа. Прежде чем удалить его, добавьте другой.',
}
