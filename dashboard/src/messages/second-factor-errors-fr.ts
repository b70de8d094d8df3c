import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './second-factor-errors-en.ts'

export const messages: Translation<typeof english> = {
  INVALID_CODE: 'Le code est incorrect, ou a déjà été utilisé.',
  TOTP_ISNT_CONFIGURED: 'Les applications d’authentification ne sont pas disponibles ici.',
  OTP_ISNT_CONFIGURED: 'L’envoi de codes n’est pas disponible ici.',
  TOTP_NOT_ENABLED:
    'Il n’y a aucune application d’authentification à vérifier. Recommencez la configuration, ou utilisez une autre méthode.',
  OTP_NOT_ENABLED: 'Aucun code ne peut vous être envoyé. Utilisez une autre méthode.',
  OTP_HAS_EXPIRED: 'Ce code a expiré, ou a été remplacé par un code plus récent. Demandez-en un nouveau.',
  TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE: 'Trop de codes incorrects ont été saisis. Recommencez avec un nouveau code.',
  BACKUP_CODES_ARENT_ENABLED: 'Il ne reste aucun code de secours. Utilisez une autre méthode.',
  INVALID_BACKUP_CODE: 'Le code de secours est incorrect, ou a déjà été utilisé.',
  TWO_FACTOR_ISNT_ENABLED: 'Il n’y a aucun second facteur. Configurez-en d’abord un.',
  INVALID_TWO_FACTOR_COOKIE:
    'La connexion a duré trop longtemps, ou a été terminée dans un autre onglet. Connectez-vous à nouveau.',
  EMAIL_CODE_REQUIRED: 'Saisissez d’abord le code qui vous a été envoyé.',
  SECOND_FACTOR_SETUP_REQUIRED: 'Votre compte a besoin d’un second facteur. Configurez-en un pour vous connecter.',
  SECOND_FACTOR_CANNOT_BE_DISABLED:
    'Votre compte a besoin d’un second facteur. Configurez-en un autre avant de retirer celui-ci.',
  RESETTING_SECOND_FACTORS_IS_DISABLED: 'Seul un administrateur peut réinitialiser vos seconds facteurs.',
  ACCOUNT_TEMPORARILY_LOCKED: 'Trop de codes incorrects ont été saisis. Patientez, ou utilisez un code de secours.',
}
