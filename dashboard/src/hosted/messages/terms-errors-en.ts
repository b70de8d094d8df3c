/** The sentences of error codes of terms, which only hosted pages show. */
export const messages = {
  INVALID_TERMS_COOKIE: 'The sign-in took too long, or was completed in another tab. Sign in again.',
  TERMS_VERSION_IS_NOT_CURRENT: 'The terms have changed since you opened this page. Read the new version, then accept it.',
  TERMS_CANNOT_BE_POSTPONED: 'These terms cannot be postponed any longer.',
  TERMS_DOCUMENT_NOT_FOUND: 'This document does not exist.',
} as const
