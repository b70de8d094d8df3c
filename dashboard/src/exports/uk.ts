import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  startExport: 'Експортувати',
  format: 'Формат файлу',
  command: 'Команда',
  copyCommand: 'Скопіювати команду',
  close: 'Закрити',
  ownExports: 'Ваші експорти',
  ownExportsText: 'Сервер готує файл, навіть якщо закрити це вікно. За добу файл буде видалено.',
  running: 'Виконується',
  paused: 'Призупинено',
  completed: 'Готово',
  failed: 'Помилка',
  rows: ({ count }, { plural }) => plural(count, { one: '# рядок', few: '# рядки', many: '# рядків', other: '# рядка' }),
  rowsOf: ({ rows, total }) => `${rows} з ${total}`,
  pause: 'Призупинити',
  resume: 'Відновити',
  delete: 'Видалити',
  download: 'Завантажити',
}
