import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './rehearsal-en.ts'

export const messages: Translation<typeof english> = {
  isDue: 'Резервні коди досі у вас?',
  isDueText: 'Перевірте це зараз, а не того дня, коли вони знадобляться. Введіть один із них — натомість ви отримаєте новий.',
  tryCode: 'Перевірити резервний код',
  verify: 'Перевірити',
  isRight: 'Код правильний',
  replacement: 'Замініть введений код цим. Більше він не з’явиться.',
  lost: 'Якщо коди втрачено, створіть нижче нові.',
  tried: 'Резервний код перевірено й замінено новим.',
}
