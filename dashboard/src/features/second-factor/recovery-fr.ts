import { unbroken } from '../../i18n/format.ts'
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './recovery-en.ts'

export const messages: Translation<typeof english> = {
  timeLeft: ({ time }) => `Temps restant pour vous connecter\u202f: ${time}.`,
  lostFactors: 'J’ai perdu mon second facteur',
  recover: 'Second facteur perdu',
  recoverLead: 'Si vous disposez encore de l’un de ces moyens, utilisez-le. Vos seconds facteurs restent alors inchangés.',
  noneOfThese: 'Je n’ai rien de tout cela',
  resetText: ({ hours }, { plural }) =>
    `Vous pouvez faire retirer tous vos seconds facteurs. Le délai est de ${hours % 24 === 0 ? plural(hours / 24, { one: '# jour', other: '# jours' }) : plural(hours, { one: '# heure', other: '# heures' })}, afin que vous puissiez annuler la demande si elle vient d’une autre personne.`,
  toEmail: ({ to }) => `Nous envoyons un code par e-mail à ${unbroken(to)}.`,
  toBoth: ({ to, number }) =>
    `Nous envoyons un code par e-mail à ${unbroken(to)}, et un autre par SMS au ${unbroken(number)}. Les deux sont nécessaires.`,
  toPhone: ({ to }) => `Nous envoyons un code par SMS au ${unbroken(to)}.`,
  sendCodes: 'Envoyer les codes',
  newCodesIn: ({ time }) => `Nouveaux codes dans ${time}`,
  sendNewCodes: 'Envoyer de nouveaux codes',
  emailCode: 'Code reçu par e-mail',
  smsCode: 'Code reçu par SMS',
  requestReset: 'Demander la réinitialisation',
  notPossible: 'Seul un administrateur peut réinitialiser vos seconds facteurs.',
  askAdministrators: 'Vous pouvez vous adresser à un administrateur de votre organisation\u202f:',
  waiting: ({ time }) => `Une réinitialisation est en attente. Elle prendra effet le ${time}.`,
  requested: 'La réinitialisation a été demandée',
  requestedLead: ({ time }) =>
    `Le ${time}, vos seconds facteurs seront retirés. Connectez-vous ensuite, et configurez-en de nouveaux.`,
  requestedText:
    'Nous vous en informons par e-mail. Une connexion avec un second facteur annule la réinitialisation, tout comme le lien contenu dans les e-mails.',
  toSignIn: 'Retour à la connexion',
  cancelQuestion: 'Annuler la réinitialisation\u202f?',
  cancelLead: 'Vos seconds facteurs restent alors inchangés.',
  cancelReset: 'Annuler la réinitialisation',
  cancelled: 'La réinitialisation a été annulée',
  cancelledLead:
    'Vos seconds facteurs restent inchangés. Si la demande ne venait pas de vous, changez votre mot de passe\u202f: une autre personne le connaît.',
  changePassword: 'Changer le mot de passe',
  linkFailed: 'Ce lien ne fonctionne pas',
  linkFailedLead: 'La réinitialisation a déjà été annulée, ou elle a déjà pris effet.',
}
