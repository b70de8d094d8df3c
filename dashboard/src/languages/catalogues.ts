/** The catalogues that are translated into every language, by name. The other ones belong to the console, and are English and German. */

import type { messages as exports } from '../exports/en.ts'
import type { messages as accountDeletion } from '../features/account-deletion/en.ts'
import type { messages as accountLock } from '../features/account-lock/en.ts'
import type { messages as accounts } from '../features/accounts/en.ts'
import type { messages as apiKeys } from '../features/api-keys/en.ts'
import type { messages as dataExport } from '../features/data-export/en.ts'
import type { messages as emailCodes } from '../features/email-codes/en.ts'
import type { messages as emailPassword } from '../features/email-password/en.ts'
import type { messages as emailVerification } from '../features/email-verification/en.ts'
import type { messages as meta } from '../features/meta/en.ts'
import type { messages as organizations } from '../features/organizations/en.ts'
import type { messages as invitations } from '../features/organizations/invitations-en.ts'
import type { messages as organizationRoles } from '../features/organizations/own-roles-en.ts'
import type { messages as organizationPolicy } from '../features/organizations/policy-en.ts'
import type { messages as passwordReset } from '../features/password-reset/en.ts'
import type { messages as profile } from '../features/profile/en.ts'
import type { messages as challenge } from '../features/second-factor/challenge-en.ts'
import type { messages as secondFactor } from '../features/second-factor/en.ts'
import type { messages as passkeys } from '../features/second-factor/passkey-en.ts'
import type { messages as passkeySignIn } from '../features/second-factor/passkey-sign-in-en.ts'
import type { messages as passkeySignUp } from '../features/second-factor/passkey-sign-up-en.ts'
import type { messages as recovery } from '../features/second-factor/recovery-en.ts'
import type { messages as rehearsal } from '../features/second-factor/rehearsal-en.ts'
import type { messages as secondFactorSetup } from '../features/second-factor/setup-en.ts'
import type { messages as activity } from '../features/sessions/activity-en.ts'
import type { messages as sessions } from '../features/sessions/en.ts'
import type { messages as setup } from '../features/setup/en.ts'
import type { messages as signUp } from '../features/sign-up/en.ts'
import type { messages as socialSignIn } from '../features/social-sign-in/en.ts'
import type { messages as terms } from '../features/terms/en.ts'
import type { messages as termsPages } from '../features/terms/hosted-en.ts'
import type { messages as acceptedTerms } from '../features/terms/screens-en.ts'
import type { messages as admission } from '../hosted/messages/admission-en.ts'
import type { messages as signIn } from '../hosted/messages/sign-in-en.ts'
import type { messages as signUpTerms } from '../hosted/messages/terms-en.ts'
import type { messages as termsErrors } from '../hosted/messages/terms-errors-en.ts'
import type { Translation } from '../i18n/messages.ts'
import type { messages as apiKeyErrors } from '../messages/api-key-errors-en.ts'
import type { messages as frame } from '../messages/en.ts'
import type { messages as errors } from '../messages/errors-en.ts'
import type { messages as frozen } from '../messages/frozen-en.ts'
import type { messages as organizationErrors } from '../messages/organization-errors-en.ts'
import type { messages as passkeyErrors } from '../messages/passkey-errors-en.ts'
import type { messages as phone } from '../messages/phone-en.ts'
import type { messages as redirects } from '../messages/redirects-en.ts'
import type { messages as secondFactorErrors } from '../messages/second-factor-errors-en.ts'
import type { messages as social } from '../messages/social-en.ts'
import type { messages as username } from '../messages/username-en.ts'

export interface Catalogues {
  readonly 'accepted-terms': typeof acceptedTerms
  readonly 'account-deletion': typeof accountDeletion
  readonly 'account-lock': typeof accountLock
  readonly accounts: typeof accounts
  readonly activity: typeof activity
  readonly admission: typeof admission
  readonly 'api-key-errors': typeof apiKeyErrors
  readonly 'api-keys': typeof apiKeys
  readonly challenge: typeof challenge
  readonly 'data-export': typeof dataExport
  readonly 'email-codes': typeof emailCodes
  readonly 'email-password': typeof emailPassword
  readonly 'email-verification': typeof emailVerification
  readonly errors: typeof errors
  readonly exports: typeof exports
  readonly frame: typeof frame
  readonly frozen: typeof frozen
  readonly invitations: typeof invitations
  readonly meta: typeof meta
  readonly 'organization-errors': typeof organizationErrors
  readonly 'organization-policy': typeof organizationPolicy
  readonly 'organization-roles': typeof organizationRoles
  readonly organizations: typeof organizations
  readonly 'passkey-errors': typeof passkeyErrors
  readonly 'passkey-sign-in': typeof passkeySignIn
  readonly 'passkey-sign-up': typeof passkeySignUp
  readonly passkeys: typeof passkeys
  readonly 'password-reset': typeof passwordReset
  readonly phone: typeof phone
  readonly profile: typeof profile
  readonly recovery: typeof recovery
  readonly redirects: typeof redirects
  readonly rehearsal: typeof rehearsal
  readonly 'second-factor': typeof secondFactor
  readonly 'second-factor-errors': typeof secondFactorErrors
  readonly 'second-factor-setup': typeof secondFactorSetup
  readonly sessions: typeof sessions
  readonly setup: typeof setup
  readonly 'sign-in': typeof signIn
  readonly 'sign-up': typeof signUp
  readonly 'sign-up-terms': typeof signUpTerms
  readonly social: typeof social
  readonly 'social-sign-in': typeof socialSignIn
  readonly terms: typeof terms
  readonly 'terms-errors': typeof termsErrors
  readonly 'terms-pages': typeof termsPages
  readonly username: typeof username
}

/** What a language of its own declares: without one of the catalogues, or one of its texts, the compiler reports an error. */
export type TranslatedCatalogues = {
  readonly [N in keyof Catalogues]: () => Promise<{ readonly messages: Translation<Catalogues[N]> }>
}
