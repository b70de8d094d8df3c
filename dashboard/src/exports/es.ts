import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  startExport: 'Exportar',
  format: 'Formato de archivo',
  command: 'Comando',
  copyCommand: 'Copiar el comando',
  close: 'Cerrar',
  ownExports: 'Tus exportaciones',
  ownExportsText: 'El servidor crea el archivo, aunque esta ventana esté cerrada. Se elimina después de un día.',
  running: 'En curso',
  paused: 'En pausa',
  completed: 'Completa',
  failed: 'Fallida',
  rows: ({ count }, { plural }) => plural(count, { one: '# fila', many: '# de filas', other: '# filas' }),
  rowsOf: ({ rows, total }) => `${rows} de ${total}`,
  pause: 'Pausar',
  resume: 'Reanudar',
  delete: 'Eliminar',
  download: 'Descargar',
}
