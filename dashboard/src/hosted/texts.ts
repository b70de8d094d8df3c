/** The sentences of failed calls and of redirect codes, in the language of the page. */
import type { PageFailure } from '../../../src/core/hosted.ts'
import { useLocale } from '../i18n/messages.ts'
import { errorMessages, factorErrors, organizationErrors, passkeyErrors, redirectMessages } from '../messages/index.ts'
import { termsErrors } from './terms-messages.ts'

type Translate = (code: never) => string

function sentenceOf(translators: readonly Translate[], code: string): string | null {
  for (const translate of translators) {
    try {
      return translate(code as never)
    } catch {
      // Of another catalogue, or unknown.
    }
  }
  return null
}

export function useFailureText() {
  const { locale } = useLocale()
  const codes = [errorMessages, organizationErrors, factorErrors, passkeyErrors, termsErrors].map((each) =>
    each.translate(locale),
  )
  /** Null for an unknown code. */
  const code = (given: string) => sentenceOf(codes, given)
  return {
    code,
    /** For codes that the pages do not know, that of the API. */
    sentence: ({ code: given, message }: PageFailure) => code(given) ?? message,
    isRedirect: (given: string) => sentenceOf([redirectMessages.translate(locale)], given) !== null,
    /** Of a redirect, whose codes are in lower case; null for an unknown code. */
    redirect: (given: string) =>
      sentenceOf([redirectMessages.translate(locale)], given) ?? code(given) ?? code(given.toUpperCase()),
  }
}
