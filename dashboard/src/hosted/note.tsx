/** What a hosted page says about what happened. */
import type { ReactNode } from 'react'
import type { PageFailure } from '../../../src/core/hosted.ts'
import { Note } from '../components/static.tsx'
import { useFrameMessages } from '../messages/index.ts'
import { usePage } from './page.ts'
import { useFailureText } from './texts.ts'

export { Note }

interface FailureNoteProps {
  readonly failure: PageFailure
  /** Below the sentence, such as a link to another way. */
  readonly children?: ReactNode
}

/** A failed call: a sentence, the code and the request ID. */
export function FailureNote({ failure, children }: FailureNoteProps) {
  const t = useFrameMessages()
  const { sentence } = useFailureText()
  const { code, requestId, retryAfter } = failure
  return (
    <Note tone="danger" isLive>
      <p className="font-semibold">{sentence(failure)}</p>
      {retryAfter ? <p data-after-wait={t('canRetryNow')}>{t('waitBeforeRetry', { seconds: retryAfter })}</p> : null}
      {children}
      <p className="mt-1 flex flex-wrap items-center gap-x-3.5 font-mono text-12">
        <span data-failure={code} className="min-w-0 wrap-anywhere">
          {code}
        </span>
        {requestId ? (
          <span className="-ms-1">
            <Copyable text={requestId} label={t('copyRequestId')} />
          </span>
        ) : null}
      </p>
    </Note>
  )
}

/** A text that the script copies; without it, the text can be selected. */
export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
  const t = useFrameMessages()
  return (
    <button
      type="button"
      data-copy={text}
      data-copied={t('copied')}
      data-not-copied={t('notCopied')}
      aria-label={`${label}: ${text}`}
      className="inline-flex min-h-6 max-w-full cursor-pointer items-center rounded-sm px-1 text-start break-all text-inherit select-text hover:bg-hover"
    >
      {text}
    </button>
  )
}

/** At the sign-in method that was used last in this browser. */
export function LastUsed({ method }: { readonly method: string }) {
  const t = useFrameMessages()
  return usePage().page.lastMethod === method ? <span className="shrink-0 text-12 text-muted">{t('lastUsed')}</span> : null
}
