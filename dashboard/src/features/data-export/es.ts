import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  exportData: 'Exportar',
  exportTitle: 'Exportar tus datos',
  exportLead: 'Una copia de todo lo que está guardado sobre ti.',
  file: 'Un archivo JSON',
  contains: 'Tu perfil, tus métodos de inicio de sesión y tus sesiones. No contiene contraseñas ni claves.',
  safety: 'Guarda el archivo en un lugar seguro: tiene datos personales, como tus direcciones IP.',
  download: 'Descargar datos',
  downloaded: 'Tus datos se descargaron.',
}
