import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  checkEmail: 'Consultez vos e-mails',
  verifySent: ({ email }) =>
    `Nous avons envoyé un e-mail à ${email}. Ouvrez le lien qu’il contient pour vérifier votre adresse e-mail.`,
  resetSent: ({ email }) =>
    `S’il existe un compte pour ${email}, nous y avons envoyé un lien pour choisir un nouveau mot de passe.`,
  replaceSent: ({ email }) =>
    `Votre compte a besoin d’un nouveau mot de passe. Nous avons envoyé un e-mail à ${email}. Ouvrez le lien qu’il contient pour en choisir un.`,
  replaceReason: 'Un administrateur exige un nouveau mot de passe avant votre prochaine connexion.',
  changeSent: 'Nous vous avons envoyé un e-mail. Ouvrez le lien qu’il contient pour modifier votre adresse e-mail.',
  changeAgain: 'S’il n’arrive pas, redemandez la modification dans votre compte.',
  notThere: 'Rien reçu au bout d’une minute\u202f? Regardez dans le dossier des spams, ou renvoyez l’e-mail.',
  sendAgain: 'Renvoyer',
  sendAgainIn: ({ time }) => `Renvoyer dans ${time}`,
  sentAgain: 'L’e-mail a été renvoyé.',
  useAnotherEmail: 'Utiliser une autre adresse e-mail',
  backToSignIn: 'Retour à la connexion',
  verifyLead: 'Saisissez votre adresse e-mail. Si elle n’est pas encore vérifiée, nous y envoyons un lien.',
  resetLead:
    'Saisissez votre adresse e-mail. S’il existe un compte pour elle, nous y envoyons un lien pour choisir un nouveau mot de passe.',
  email: 'Adresse e-mail',
  sendLink: 'Envoyer le lien',
  verifyCodeSent: ({ email }) => `Nous avons envoyé un code à ${email}. Saisissez-le ici pour vérifier votre adresse e-mail.`,
  verifyLeadCode: 'Saisissez votre adresse e-mail. Si elle n’est pas encore vérifiée, nous y envoyons un code.',
  sendCode: 'Envoyer le code',
  code: 'Code',
  openMailbox: ({ provider }) => `Ouvrir ${provider}`,
  emailVerification: 'Vérification de l’adresse e-mail',
  verified: 'Votre adresse e-mail est vérifiée',
  verifiedLead: ({ appName }) => `Merci. Vous pouvez maintenant utiliser votre compte ${appName}.`,
  signIn: 'Se connecter',
  confirmTitle: 'Vérifiez votre adresse e-mail',
  confirmLead: ({ email }) => `Confirmez que l’adresse ${email} est la vôtre.`,
  verify: 'Vérifier l’adresse e-mail',
  changeTitle: 'Modifiez votre adresse e-mail',
  changeLead: ({ email, newEmail }) => `L’adresse e-mail de votre compte change\u202f: ${email} → ${newEmail}.`,
  confirmChange: 'Modifier l’adresse e-mail',
  signInToChange: ({ email }) => `Connectez-vous au compte ${email} pour modifier son adresse e-mail.`,
  proveLead: ({ email }) =>
    `Une inscription a été faite avec ${email} dans un autre navigateur. Si c’était vous, saisissez le mot de passe que vous avez choisi.`,
  proveLeadByProvider: ({ email }) =>
    `Une inscription a été faite avec ${email} dans un autre navigateur. Si c’était vous, connectez-vous.`,
  password: 'Mot de passe',
  signInWith: ({ provider }) => `Se connecter avec ${provider}`,
  notMe: 'Ce n’était pas moi, ou j’ai oublié le mot de passe',
  notMeByProvider: 'Ce n’était pas moi, ou je ne peux pas me connecter',
  takeOverTitle: 'Prenez le contrôle de ce compte',
  takeOverLead: ({ email }) => `Choisissez un nouveau mot de passe pour ${email}.`,
  takeOverWithoutPassword: ({ email }) => `Vérifiez l’adresse ${email}, puis connectez-vous à nouveau.`,
  takeOverEnds:
    'Tout ce qui précède prend fin\u202f: toutes les sessions, l’ancien mot de passe, les comptes sociaux associés, le numéro de téléphone et les clés API. La personne qui a créé le compte perd son accès.',
  takeOver: 'Vérifier et retirer les autres accès',
  back: 'Retour',
  notVerified: 'Votre adresse e-mail n’est pas encore vérifiée',
  verifyAgain: 'Obtenir un nouveau lien',
}
