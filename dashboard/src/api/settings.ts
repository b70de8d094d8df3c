/** What the public settings mean for pages. Declarations of screens use it, which are also read outside of a browser. */
import type { PublicSettings } from '../../../src/features/index.ts'

/** Without passwords, a page for sign-up is needed only for providers that do not create users at sign-in. */
export const canSignUp = ({ emailPassword, socialProviders }: PublicSettings): boolean =>
  emailPassword?.signUp === true || socialProviders.some(({ signUp }) => signUp === 'requested')

/** The only sign-in page when there is nothing else to sign in with. */
export const onlyByPhone = ({
  emailCodes,
  emailPassword,
  magicLink,
  phoneNumber,
  socialProviders,
}: PublicSettings): string | null =>
  phoneNumber?.codes && !emailPassword && !emailCodes && !magicLink && socialProviders.length === 0 ? '/sign-in/phone' : null

/** Whether a forgotten password can be replaced with an email. */
export const canReset = ({ emailCodes, emailPassword, passwordReset }: PublicSettings): boolean =>
  passwordReset || (emailCodes !== null && emailPassword !== null)
