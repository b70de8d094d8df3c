/** The form to try a call. The script puts a copy of it next to each call when it is opened. */
import { buttonLook, controlLook } from '../components/look.ts'
import { useFrameMessages } from '../messages/index.ts'
import { useReferenceMessages } from './messages.ts'

export function TryTemplate() {
  const t = useReferenceMessages()
  const f = useFrameMessages()
  return (
    <template
      id="try"
      data-copied={f('copied')}
      data-not-copied={f('notCopied')}
      data-offline={t('requestFailed')}
      data-invalid={t('invalidJSON')}
      data-redirected={t('redirected')}
    >
      <details className="overflow-hidden rounded-card border border-border bg-surface">
        <summary className="min-h-10 cursor-pointer px-3 py-2.5 text-13 font-medium">{t('tryIt')}</summary>
        <form className="space-y-3 border-t border-border p-4">
          <p className="text-13 text-muted">{t('tryText')}</p>
          <label data-field className="block space-y-1 text-13 font-medium">
            <span className="font-mono wrap-anywhere" />
            <input autoComplete="off" spellCheck={false} className={controlLook()} />
          </label>
          <label data-body className="block space-y-1 text-13 font-medium">
            <span>{t('body')}</span>
            <textarea rows={6} spellCheck={false} className={`${controlLook()} font-mono text-12`} />
          </label>
          <button type="submit" className={buttonLook({ variant: 'primary' })}>
            {t('sendRequest')}
          </button>
          <div role="status" className="font-mono text-12 leading-5 whitespace-pre-wrap wrap-anywhere" />
        </form>
      </details>
    </template>
  )
}
