import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  startExport: 'Exporter',
  format: 'Format du fichier',
  command: 'Commande',
  copyCommand: 'Copier la commande',
  close: 'Fermer',
  ownExports: 'Vos exports',
  ownExportsText: 'Le serveur crée le fichier, même si cette fenêtre est fermée. Il est supprimé au bout d’un jour.',
  running: 'En cours',
  paused: 'En pause',
  completed: 'Terminé',
  failed: 'Échec',
  rows: ({ count }, { plural }) => plural(count, { one: '# ligne', many: '# de lignes', other: '# lignes' }),
  rowsOf: ({ rows, total }) => `${rows} sur ${total}`,
  pause: 'Mettre en pause',
  resume: 'Reprendre',
  delete: 'Supprimer',
  download: 'Télécharger',
}
