/** The hosted pages, a line each. */
import { deleteAccount } from '../features/account-deletion/delete-account.tsx'
import { lockAccountPage } from '../features/account-lock/lock-account.tsx'
import { magicLinkPage } from '../features/email-codes/magic-link.tsx'
import { emailSignInPages } from '../features/email-codes/sign-in.tsx'
import { signUpPage } from '../features/email-password/sign-up.tsx'
import { checkEmail } from '../features/email-verification/check-email.tsx'
import { emailVerified } from '../features/email-verification/email-verified.tsx'
import { verifyEmail } from '../features/email-verification/verify-email.tsx'
import { accountDeleted, signedOut } from '../features/meta/done.tsx'
import { emailChanged } from '../features/meta/email-changed.tsx'
import { error } from '../features/meta/error.tsx'
import { acceptInvitation } from '../features/organizations/accept-invitation.tsx'
import { forgotPassword } from '../features/password-reset/forgot-password.tsx'
import { resetByCode } from '../features/password-reset/reset-by-code.tsx'
import { resetPassword } from '../features/password-reset/reset-password.tsx'
import { phoneResetPages } from '../features/phone-number/forgot-password.tsx'
import { phoneSignInPages } from '../features/phone-number/sign-in.tsx'
import { challengePage } from '../features/second-factor/challenge.tsx'
import { passkeySignUpPages } from '../features/second-factor/passkey-sign-up.tsx'
import { recoverPage, resetRequestedPage } from '../features/second-factor/recovery.tsx'
import { cancelResetPage } from '../features/second-factor/reset-cancellation.tsx'
import { setUp } from '../features/setup/set-up.tsx'
import { joinPage } from '../features/sign-up/join.tsx'
import { waitingListPage } from '../features/sign-up/waiting-list.tsx'
import { signedInAgain } from '../features/social-sign-in/signed-in-again.tsx'
import { declinedPage, deleteInsteadPage } from '../features/terms/declined.tsx'
import { termsPage } from '../features/terms/terms.tsx'
import type { HostedPage } from './page.ts'
import { signInPage } from './sign-in.tsx'

export const pages: readonly HostedPage[] = [
  // Before the sign-in page, which has their first forms too: a form without a page of its own belongs to theirs.
  ...emailSignInPages,
  ...phoneSignInPages,
  signInPage,
  signUpPage,
  joinPage,
  waitingListPage,
  ...passkeySignUpPages,
  magicLinkPage,
  ...phoneResetPages,
  challengePage,
  recoverPage,
  resetRequestedPage,
  cancelResetPage,
  termsPage,
  declinedPage,
  deleteInsteadPage,
  forgotPassword,
  resetByCode,
  resetPassword,
  setUp,
  checkEmail,
  verifyEmail,
  emailVerified,
  emailChanged,
  acceptInvitation,
  lockAccountPage,
  deleteAccount,
  signedInAgain,
  signedOut,
  accountDeleted,
  error,
]
