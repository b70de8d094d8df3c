import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './frozen-en.ts'

export const messages: Translation<typeof english> = {
  frozen: 'Інцидент',
  'sign-up': 'Реєстрацію призупинено.',
  'sign-in': 'Вхід призупинено.',
  writes: 'Режим лише для читання: зміни зараз неможливі. Ви залишаєтеся в обліковому записі.',
  showIncident: 'Показати інцидент',
}
