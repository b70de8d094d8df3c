import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './policy-en.ts'

export const messages: Translation<typeof english> = {
  policyLabel: 'Second facteur des membres',
  policyHint: 'Sans second facteur, les membres peuvent se connecter, mais pas ouvrir cette organisation.',
  notRequired: 'Facultatif',
  requiredNow: 'Obligatoire immédiatement',
  requiredAfter: ({ count }, { plural }) =>
    plural(count, {
      one: 'Obligatoire, # jour pour le configurer',
      other: 'Obligatoire, # jours pour le configurer',
    }),
  graceText: 'Pour chaque membre, le délai commence à sa prochaine ouverture de l’organisation.',
  stopsNow: ({ count }, { plural }) =>
    plural(count, { one: '# membre perd immédiatement l’accès.', other: '# membres perdent immédiatement l’accès.' }),
  showAdministrators:
    'Les membres qui ont perdu leur second facteur voient les noms des administrateurs au moment de la connexion',
  savePolicy: 'Enregistrer la règle',
  policySaved: 'La règle a été enregistrée.',
  setUpOwn: 'Configurer un second facteur',
  withoutFactor: 'Membres sans second facteur',
  everyoneHasOne: 'Chaque membre a un second facteur.',
  lackOne: ({ count }, { plural }) =>
    plural(count, { one: '# membre n’a pas de second facteur.', other: '# membres n’ont pas de second facteur.' }),
  andMore: ({ count }, { plural }) => plural(count, { one: 'et # autre', other: 'et # autres' }),
  sendReminders: 'Envoyer un rappel',
  remindersText: 'Par e-mail, au plus un par jour et par membre.',
  remindersSent: ({ count }, { plural }) =>
    plural(count, { one: 'Un rappel a été envoyé à # membre.', other: 'Des rappels ont été envoyés à # membres.' }),
  alreadyReminded: 'Ces membres ont reçu un rappel au cours des dernières 24 heures.',
  moreReminders: 'Il y a d’autres membres. Recommencez l’envoi pour les atteindre.',
  stopped: ({ name }) => `${name} exige un second facteur`,
  stoppedText:
    'Votre compte n’en a aucun. Configurez-en un pour rouvrir cette organisation. Votre compte et vos autres organisations restent accessibles.',
  emailIsNotEnough: 'Les codes par e-mail ne suffisent pas.',
  otherOrganizations: 'Toutes les organisations',
  dueSoon: ({ date }) => `Cette organisation exige un second facteur. Il vous en faudra un à partir du ${date}.`,
}
