import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './rehearsal-en.ts'

export const messages: Translation<typeof english> = {
  isDue: 'Резервные коды всё ещё у вас?',
  isDueText: 'Проверьте это сейчас, а не в тот день, когда они понадобятся. Введите один из них — взамен вы получите новый.',
  tryCode: 'Проверить резервный код',
  verify: 'Проверить',
  isRight: 'Код верный',
  replacement: 'Замените введённый код этим. Больше он не появится.',
  lost: 'Если коды потеряны, создайте ниже новые.',
  tried: 'Резервный код проверен и заменён новым.',
}
