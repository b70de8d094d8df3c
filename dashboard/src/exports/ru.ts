import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  startExport: 'Экспортировать',
  format: 'Формат файла',
  command: 'Команда',
  copyCommand: 'Скопировать команду',
  close: 'Закрыть',
  ownExports: 'Ваши экспорты',
  ownExportsText: 'Сервер готовит файл, даже если закрыть это окно. Через сутки файл будет удалён.',
  running: 'Выполняется',
  paused: 'Приостановлен',
  completed: 'Готов',
  failed: 'Ошибка',
  rows: ({ count }, { plural }) => plural(count, { one: '# строка', few: '# строки', many: '# строк', other: '# строки' }),
  rowsOf: ({ rows, total }) => `${rows} из ${total}`,
  pause: 'Приостановить',
  resume: 'Возобновить',
  delete: 'Удалить',
  download: 'Скачать',
}
