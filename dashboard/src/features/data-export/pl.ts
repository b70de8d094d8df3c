import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  exportData: 'Eksport',
  exportTitle: 'Eksport Twoich danych',
  exportLead: 'Kopia wszystkich zapisanych danych o Tobie.',
  file: 'Jeden plik JSON',
  contains: 'Twój profil, metody logowania i sesje. Bez haseł i kluczy.',
  safety: 'Przechowuj plik w bezpiecznym miejscu: zawiera dane osobowe, np. Twoje adresy IP.',
  download: 'Pobierz dane',
  downloaded: 'Dane zostały pobrane.',
}
