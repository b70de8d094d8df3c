/** What the pages say about a failed call. */

import { useLocale } from '../i18n/messages.ts'
import { adminErrors, apiKeyErrors, errorMessages, factorErrors, organizationErrors, passkeyErrors } from '../messages/index.ts'
import { ClientError, isOffline } from './calls.ts'

type Translators = readonly ((code: never) => string)[]

/** Of the catalogues that are loaded. */
function useTranslators(): Translators {
  const { locale } = useLocale()
  return [adminErrors, errorMessages, organizationErrors, apiKeyErrors, passkeyErrors, factorErrors].flatMap((each) =>
    each.isLoaded(locale) ? [each.translate(locale)] : [],
  )
}

export interface ErrorText {
  /** Of the error catalogue of the API; `OFFLINE` without a response. */
  readonly code: string
  readonly sentence: string
  readonly requestId: string | undefined
  /** Seconds until another attempt is allowed. */
  readonly retryAfter: number | undefined
}

/** The sentence for a code in the language of the pages; for codes that they do not know, that of the API. */
export function useErrorText(): (error: unknown) => ErrorText {
  const translators = useTranslators()
  return (error) => {
    if (error instanceof ClientError) {
      const { code, requestId, retryAfter } = error
      return { code, sentence: sentenceOf(translators, code) ?? error.message, requestId, retryAfter }
    }
    const code = isOffline(error) ? 'OFFLINE' : 'UNEXPECTED'
    return { code, sentence: sentenceOf(translators, code) ?? code, requestId: undefined, retryAfter: undefined }
  }
}

/** @returns null for an unknown code */
function sentenceOf(translators: Translators, code: string): string | null {
  for (const translate of translators) {
    try {
      return translate(code as never)
    } catch {
      // Of another catalogue, or unknown.
    }
  }
  return null
}

/** The sentence for the code of a redirect or a field, if the pages know it. */
export function useCodeText(): (code: string) => string | null {
  const translators = useTranslators()
  return (code) => sentenceOf(translators, code)
}
