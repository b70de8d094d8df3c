import { unbroken } from '../../i18n/format.ts'
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './challenge-en.ts'

export const messages: Translation<typeof english> = {
  security: 'Sécurité',
  title: 'Second facteur',
  totpLead: 'Saisissez le code affiché par votre application d’authentification.',
  smsLead: ({ to }) => `Nous envoyons un code par SMS au ${unbroken(to)}.`,
  emailLead: ({ to }) => `Nous envoyons un code par e-mail à ${unbroken(to)}.`,
  smsSent: ({ to }) => `Nous avons envoyé un code par SMS au ${unbroken(to)}.`,
  emailSent: ({ to }) => `Nous avons envoyé un code par e-mail à ${unbroken(to)}.`,
  backupLead: 'Saisissez l’un de vos codes de secours. Chacun ne fonctionne qu’une fois.',
  code: 'Code',
  clockHint: 'Les codes dépendent de l’heure\u202f: laissez votre téléphone la régler automatiquement.',
  backupCode: 'Code de secours',
  backupHint: ({ count }, { plural }) =>
    plural(count, { one: 'Il vous reste # code de secours.', other: 'Il vous reste # codes de secours.' }),
  trust: ({ count }, { plural }) =>
    plural(count, {
      one: 'Faire confiance à ce navigateur pendant # jour',
      other: 'Faire confiance à ce navigateur pendant # jours',
    }),
  signIn: 'Se connecter',
  confirm: 'Confirmer',
  sendCode: 'Envoyer le code',
  sendNewCode: 'Envoyer un nouveau code',
  newCodeIn: ({ time }) => `Nouveau code dans ${time}`,
  newCodeSent: 'Un nouveau code a été envoyé.',
  anotherWay: 'Autre méthode',
  totpWay: 'Code de votre application d’authentification',
  smsWay: ({ to }) => `Code par SMS au ${unbroken(to)}`,
  emailWay: ({ to }) => `Code par e-mail à ${unbroken(to)}`,
  backupWay: ({ count }, { plural }) =>
    plural(count, { one: 'Code de secours (# restant)', other: 'Codes de secours (# restants)' }),
  noWay:
    'Aucun de vos seconds facteurs ne peut être utilisé pour le moment. Connectez-vous d’une autre manière, ou demandez de l’aide.',
  cancel: 'Annuler la connexion',
  startAgain: 'Recommencer',
  tooNew: ({ time }) => `Vous venez d’ajouter ce second facteur. Utilisez-en un autre, ou attendez jusqu’au ${time}.`,
}
