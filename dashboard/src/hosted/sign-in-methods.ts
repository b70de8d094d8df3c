/** The sign-in methods, a line each. */
import { emailSignIn } from '../features/email-codes/sign-in-method.tsx'
import { passwordSignIn } from '../features/email-password/sign-in-method.tsx'
import { phoneSignIn } from '../features/phone-number/sign-in-method.tsx'
import { passkeySignIn } from '../features/second-factor/passkey-sign-in-method.tsx'
import { socialSignIn } from '../features/social-sign-in/sign-in-method.tsx'
import type { SignInMethod } from './sign-in-method.ts'

export const signInMethods: readonly SignInMethod[] = [passwordSignIn, passkeySignIn, emailSignIn, socialSignIn, phoneSignIn]
