/** What the preview shows: the choice of a page or email, its size, and the email as a test. */

import { useMutation } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Send } from 'lucide-react'
import { useId, useState } from 'react'
import type { Locale } from '../../../../src/core/preferences.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/feedback.tsx'
import { controlLook } from '../../components/look.ts'
import { useMessages } from '../../i18n/messages.ts'
import { call } from '../../session/session.ts'
import { type Changes, proposalOf } from './draft.ts'
import { type FrameSize, Frames } from './frames.tsx'
import { messages } from './index.ts'

export interface View {
  readonly kind: 'page' | 'email'
  readonly name: string
}

type Preview = Awaited<ReturnType<typeof preview>>
type Request = View & { readonly locale: Locale; readonly brand: ReturnType<typeof proposalOf> }
export const preview = (body: Request, signal?: AbortSignal) => call('POST /admin/preview-brand', { body }, signal && { signal })

const pageTitles = {
  'sign-in': 'signIn',
  'sign-in-failed': 'signInFailed',
  'sign-up': 'signUp',
  'verification-sent': 'verificationSent',
  'forgot-password': 'forgotPassword',
  'reset-sent': 'resetSent',
  'reset-password': 'resetPassword',
  'email-verified': 'emailVerified',
  invitation: 'invitation',
  'signed-out': 'signedOut',
  error: 'error',
  'not-found': 'notFound',
} as const
type PageName = keyof typeof pageTitles

interface ShownProps {
  readonly view: View
  readonly setView: (view: View) => void
  readonly language: Locale
  readonly changes: Changes
  readonly data: Preview
  readonly error: unknown
}

export function Shown({ view, setView, language, changes, data, error }: ShownProps) {
  const t = useMessages(messages)
  const [size, setSize] = useState<FrameSize>('phone')
  const titleOf = ({ kind, name }: View) =>
    kind === 'page' ? t(pageTitles[name as PageName]) : (data.emails.find((email) => email.kind === name)?.subject ?? name)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end gap-x-4 gap-y-3">
        <ViewChoice view={view} data={data} onChange={setView} />
        <SizeChoice size={size} onChange={setSize} />
      </div>
      {error ? (
        <div className="mb-4">
          <ErrorNote error={error} />
        </div>
      ) : null}
      {view.kind === 'email' ? <Email kind={view.name} {...{ data, language, changes }} /> : null}
      <Frames light={data.light} dark={data.dark} accent={data.accent} size={size} title={titleOf(view)} />
    </>
  )
}

function ViewChoice({
  view,
  data,
  onChange,
}: {
  readonly view: View
  readonly data: Preview
  readonly onChange: (view: View) => void
}) {
  const t = useMessages(messages)
  const id = useId()
  const views: readonly View[] = [
    ...data.pages.map((name) => ({ kind: 'page', name }) as const),
    ...data.emails.map(({ kind }) => ({ kind: 'email', name: kind }) as const),
  ]
  const textOf = ({ kind, name }: View) => `${kind} ${name}`
  const at = views.findIndex((each) => textOf(each) === textOf(view))
  const step = (by: number) => {
    const next = views[(at + by + views.length) % views.length]
    if (next) onChange(next)
  }
  return (
    <div className="min-w-0 grow basis-60">
      <label htmlFor={id} className="mb-1.5 block text-13 font-medium">
        {t('view')}
      </label>
      <div className="flex gap-2">
        <select
          id={id}
          value={textOf(view)}
          onChange={(event) => onChange(views.find((each) => textOf(each) === event.target.value) ?? view)}
          className={controlLook('normal', 'min-w-0 text-ellipsis')}
        >
          <optgroup label={t('pages')}>
            {data.pages.map((name) => (
              <option key={name} value={textOf({ kind: 'page', name })}>
                {t(pageTitles[name as PageName])}
              </option>
            ))}
          </optgroup>
          <optgroup label={t('emails')} translate="no">
            {data.emails.map(({ kind, subject }) => (
              <option key={kind} value={textOf({ kind: 'email', name: kind })}>
                {subject}
              </option>
            ))}
          </optgroup>
        </select>
        <Button isIcon aria-label={t('previous')} onClick={() => step(-1)}>
          <ChevronLeft aria-hidden className="size-4 rtl:rotate-180" />
        </Button>
        <Button isIcon aria-label={t('next')} onClick={() => step(1)}>
          <ChevronRight aria-hidden className="size-4 rtl:rotate-180" />
        </Button>
      </div>
    </div>
  )
}

function SizeChoice({ size, onChange }: { readonly size: FrameSize; readonly onChange: (size: FrameSize) => void }) {
  const t = useMessages(messages)
  const name = useId()
  return (
    <fieldset aria-label={t('size')} className="inline-flex shrink-0 rounded-control border border-border bg-sunken p-0.5">
      {(['phone', 'desktop'] as const).map((each) => (
        <label
          key={each}
          className="relative flex min-h-(--target) cursor-pointer items-center rounded-sm px-3 text-13 font-medium text-muted hover:text-text has-checked:bg-surface has-checked:text-text has-checked:shadow-[0_0_0_1px_var(--border-strong)] has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input type="radio" name={name} className="sr-only" checked={size === each} onChange={() => onChange(each)} />
          {t(each)}
        </label>
      ))}
    </fieldset>
  )
}

interface EmailProps extends Pick<ShownProps, 'data' | 'language' | 'changes'> {
  readonly kind: string
}

/** The subject, and a way to see the email in a real mailbox. */
function Email({ kind, data: { subject, testRecipient: email }, language, changes }: EmailProps) {
  const t = useMessages(messages)
  const send = useMutation({
    mutationFn: () => call('POST /admin/send-test-email', { body: { kind, locale: language, brand: proposalOf(changes) } }),
  })
  return (
    <div className="mb-4 grid gap-3 text-13">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 grow basis-60">
          <span className="text-muted">{t('subject')}: </span>
          <span translate="no" className="font-medium wrap-anywhere">
            {subject}
          </span>
        </p>
        {email === null ? null : (
          <Button isBusy={send.isPending} title={t('sendTestTo', { email })} onClick={() => send.mutate()}>
            <Send aria-hidden className="size-4" />
            {t('sendTest')}
          </Button>
        )}
      </div>
      {changes.logo ? <p className="text-muted">{t('fileLogoInEmails')}</p> : null}
      {send.error ? <ErrorNote error={send.error} /> : null}
      {send.data && email !== null ? (
        <Note tone={send.data.sent ? 'success' : 'danger'} isLive>
          {send.data.sent ? t('testSent', { email }) : t('testFailed')}{' '}
          {send.data.error === null ? null : <code className="font-mono text-12">{send.data.error}</code>}
        </Note>
      ) : null}
    </div>
  )
}
