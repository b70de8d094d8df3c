import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './rehearsal-en.ts'

export const messages: Translation<typeof english> = {
  isDue: 'Czy nadal masz swoje kody zapasowe?',
  isDueText: 'Sprawdź to teraz, a nie w dniu, w którym będą potrzebne. Wpisz jeden z nich – w zamian dostaniesz nowy.',
  tryCode: 'Sprawdź kod zapasowy',
  verify: 'Sprawdź',
  isRight: 'Kod jest prawidłowy',
  replacement: 'Zastąp wpisany kod tym kodem. Nie pokażemy go ponownie.',
  lost: 'Jeśli kody przepadły, utwórz poniżej nowe.',
  tried: 'Kod zapasowy został sprawdzony i zastąpiony nowym.',
}
