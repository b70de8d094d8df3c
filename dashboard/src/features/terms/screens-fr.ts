import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './screens-en.ts'

export const messages: Translation<typeof english> = {
  acceptedLead: 'Les versions de nos documents que vous avez acceptées, avec la date.',
  document: 'Document',
  version: 'Version',
  acceptedAt: 'Date d’acceptation',
  from: 'Depuis',
  unknownDevice: 'Appareil inconnu',
  nothingAccepted: 'Vous n’avez encore rien accepté',
  nothingAcceptedText: 'Les documents que vous acceptez lors d’une connexion apparaissent ici.',
}
