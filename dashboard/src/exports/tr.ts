import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  startExport: 'Dışa aktar',
  format: 'Dosya biçimi',
  command: 'Komut',
  copyCommand: 'Komutu kopyala',
  close: 'Kapat',
  ownExports: 'Dışa aktarmalarınız',
  ownExportsText: 'Dosyayı sunucu oluşturur, bu pencere kapalıyken de. Dosya bir gün sonra silinir.',
  running: 'Sürüyor',
  paused: 'Duraklatıldı',
  completed: 'Tamamlandı',
  failed: 'Başarısız',
  rows: ({ count }, { plural }) => plural(count, { one: '# satır', other: '# satır' }),
  rowsOf: ({ rows, total }) => `${rows} / ${total}`,
  pause: 'Duraklat',
  resume: 'Sürdür',
  delete: 'Sil',
  download: 'İndir',
}
