import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './frozen-en.ts'

export const messages: Translation<typeof english> = {
  frozen: 'Incident',
  'sign-up': 'Les inscriptions sont suspendues.',
  'sign-in': 'La connexion est suspendue.',
  writes: 'Mode lecture seule\u202f: les modifications ne sont pas possibles pour le moment. Votre session reste ouverte.',
  showIncident: 'Afficher l’incident',
}
