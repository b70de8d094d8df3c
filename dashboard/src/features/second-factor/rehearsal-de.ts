import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './rehearsal-en.ts'

export const messages: Translation<typeof english> = {
  isDue: ['Haben Sie Ihre Ersatzcodes noch?', 'Hast du deine Ersatzcodes noch?'],
  isDueText: [
    'Finden Sie es jetzt heraus und nicht an dem Tag, an dem Sie sie brauchen. Geben Sie einen davon ein; Sie erhalten einen neuen dafür.',
    'Finde es jetzt heraus und nicht an dem Tag, an dem du sie brauchst. Gib einen davon ein; du erhältst einen neuen dafür.',
  ],
  tryCode: 'Ersatzcode ausprobieren',
  verify: 'Prüfen',
  isRight: 'Der Code ist richtig',
  replacement: [
    'Ersetzen Sie den eingegebenen Code durch diesen. Er wird nicht erneut angezeigt.',
    'Ersetze den eingegebenen Code durch diesen. Er wird nicht erneut angezeigt.',
  ],
  lost: ['Wenn Sie die Codes verloren haben, erstellen Sie unten neue.', 'Wenn du die Codes verloren hast, erstelle unten neue.'],
  tried: [
    'Sie haben einen Ersatzcode ausprobiert und einen neuen dafür erhalten.',
    'Du hast einen Ersatzcode ausprobiert und einen neuen dafür erhalten.',
  ],
}
