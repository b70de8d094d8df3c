import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './frozen-en.ts'

export const messages: Translation<typeof english> = {
  frozen: 'Инцидент',
  'sign-up': 'Регистрация приостановлена.',
  'sign-in': 'Вход приостановлен.',
  writes: 'Режим только для чтения: изменения сейчас невозможны. Вы остаётесь в аккаунте.',
  showIncident: 'Показать инцидент',
}
