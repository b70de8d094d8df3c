/** What the public settings mean for pages. Declarations of screens use it, which are also read outside of a browser. */
import type { PublicSettings } from '../../../src/features/index.ts'

/** Whether anyone may create an account, or at least users who are invited. */
export const isSignUpOpen = ({ signUp: { mode, invitationsPass } }: Pick<PublicSettings, 'signUp'>): boolean =>
  mode !== 'closed' || invitationsPass

/** Without passwords, a page for sign-up is needed only for passkeys, and for providers that do not create users at sign-in. */
export const hasSignUpPage = ({ emailPassword, passkey, socialProviders }: PublicSettings): boolean =>
  emailPassword?.signUp === true || passkey?.signUp === true || socialProviders.some(({ signUp }) => signUp === 'requested')

/** Whether pages offer to create an account. */
export const canSignUp = (settings: PublicSettings): boolean => isSignUpOpen(settings) && hasSignUpPage(settings)

/** The only sign-in page when there is nothing else to sign in with. */
export const onlyByPhone = ({
  emailCodes,
  emailPassword,
  magicLink,
  passkey,
  phoneNumber,
  socialProviders,
}: PublicSettings): string | null =>
  phoneNumber?.codes && !emailPassword && !emailCodes && !magicLink && !passkey && socialProviders.length === 0
    ? '/sign-in/phone'
    : null

/** The only sign-up page when users sign up in no other way. */
export const onlyWithPasskey = ({
  emailPassword,
  passkey,
  phoneNumber,
  signUp: policy,
  socialProviders,
}: PublicSettings): string | null =>
  isSignUpOpen({ signUp: policy }) &&
  passkey?.signUp &&
  !emailPassword?.signUp &&
  !phoneNumber?.signUp &&
  socialProviders.every(({ signUp }) => signUp === 'never')
    ? '/sign-up/passkey'
    : null

/** Whether a forgotten password can be replaced with an email. */
export const canReset = ({ emailCodes, emailPassword, passwordReset }: PublicSettings): boolean =>
  passwordReset || (emailCodes !== null && emailPassword !== null)
