import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  exportData: 'Экспорт',
  exportTitle: 'Экспорт ваших данных',
  exportLead: 'Копия всех сохранённых данных о вас.',
  file: 'Один файл JSON',
  contains: 'Ваш профиль, способы входа и сеансы. Паролей и ключей в нём нет.',
  safety: 'Храните файл в надёжном месте: в нём есть личные данные, например ваши IP-адреса.',
  download: 'Скачать данные',
  downloaded: 'Данные скачаны.',
}
