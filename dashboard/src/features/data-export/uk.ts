import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  exportData: 'Експорт',
  exportTitle: 'Експорт ваших даних',
  exportLead: 'Копія всіх збережених даних про вас.',
  file: 'Один файл JSON',
  contains: 'Ваш профіль, способи входу та сеанси. Паролів і ключів у ньому немає.',
  safety: 'Зберігайте файл у надійному місці: у ньому є особисті дані, наприклад ваші IP-адреси.',
  download: 'Завантажити дані',
  downloaded: 'Дані завантажено.',
}
