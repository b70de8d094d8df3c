import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './passkey-sign-in-en.ts'

export const messages: Translation<typeof english> = {
  signInWithPasskey: 'Zaloguj się kluczem dostępu',
  withPasskey: 'za pomocą klucza dostępu',
  confirmWithPasskey: 'Użyj klucza dostępu',
  passkeyLead: 'Użyj klucza dostępu. Urządzenie poprosi o odcisk palca, twarz lub kod PIN.',
  cancelled: 'Klucz dostępu nie został użyty. Spróbuj ponownie lub wybierz inny sposób.',
  wrongDomain: ({ domain }) => `Klucze dostępu należą do domeny ${domain}, a ta przeglądarka nie może ich użyć pod tym adresem.`,
  goToDomain: ({ domain }) => `Przejdź do ${domain}`,
  notPossible: 'Nie udało się użyć tu klucza dostępu. Spróbuj ponownie lub wybierz inny sposób.',
}
