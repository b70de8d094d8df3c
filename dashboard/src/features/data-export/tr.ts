import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  exportData: 'Dışa aktar',
  exportTitle: 'Verilerinizi dışa aktarın',
  exportLead: 'Hakkınızda saklanan her şeyin bir kopyası.',
  file: 'Tek bir JSON dosyası',
  contains: 'Profiliniz, oturum açma yöntemleriniz ve oturumlarınız. Parola veya anahtar içermez.',
  safety: 'Dosyayı güvenli bir yerde saklayın: IP adresleriniz gibi kişisel veriler içerir.',
  download: 'Verileri indir',
  downloaded: 'Verileriniz indirildi.',
}
