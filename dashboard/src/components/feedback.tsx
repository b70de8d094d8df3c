/** What a page says about what happened: notes, errors with their code and request ID, empty and loading states. */
import { clsx } from 'clsx'
import { Check, CircleAlert, Copy, type LucideIcon, RefreshCw } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useErrorText } from '../api/errors.ts'
import { copyText } from '../browser/clipboard.ts'
import { useLocale } from '../i18n/messages.ts'
import { useFrameMessages } from '../messages/index.ts'
import { useFilter } from '../routes/list-state.ts'
import { useParameter } from '../routes/parameters.ts'
import { Button, ButtonLink } from './button.tsx'
import { Card } from './layout.tsx'
import { Note } from './static.tsx'

export { Note }

/** Seconds that remain of a waiting time; restarts when `start` is another value. */
export function useCountdown(start: unknown, seconds: number | undefined): number {
  const [left, setLeft] = useState(seconds ?? 0)
  const [seen, setSeen] = useState(start)
  if (seen !== start) {
    setSeen(start)
    setLeft(seconds ?? 0)
  }
  useEffect(() => {
    if (start === undefined || seconds === undefined || seconds <= 0) return
    const end = performance.now() + seconds * 1000
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((end - performance.now()) / 1000))
      setLeft(rest)
      if (rest === 0) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [start, seconds])
  return left
}

interface ErrorNoteProps {
  readonly error: unknown
  /** Below the sentence, such as a link to another way. */
  readonly children?: ReactNode
}

/** A failed call: a sentence, the code and the request ID. With a waiting time it counts down. */
export function ErrorNote({ error, children }: ErrorNoteProps) {
  const t = useFrameMessages()
  const { sentence, code, requestId, retryAfter } = useErrorText()(error)
  const left = useCountdown(error, retryAfter)
  return (
    <Note tone="danger" isLive>
      <p className="font-semibold">{sentence}</p>
      {/* The button counts; here each second would be announced. */}
      {retryAfter === undefined ? null : <p>{left > 0 ? t('waitBeforeRetry', { seconds: retryAfter }) : t('canRetryNow')}</p>}
      {children}
      <div className="mt-1 flex flex-wrap items-center gap-x-3.5 font-mono text-12">
        <span className="min-w-0 wrap-anywhere">{code}</span>
        {requestId ? <CopyButton text={requestId} label={t('copyRequestId')} isVisible /> : null}
      </div>
    </Note>
  )
}

interface CopyButtonProps {
  readonly text: string
  readonly label: string
  /** Whether the text itself is shown. */
  readonly isVisible?: boolean
}

export function CopyButton({ text, label, isVisible = false }: CopyButtonProps) {
  const t = useFrameMessages()
  const [isCopied, setCopied] = useState<boolean>()
  const Icon = isCopied === undefined ? Copy : isCopied ? Check : CircleAlert
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(undefined), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <button
      type="button"
      aria-label={isVisible ? `${label}: ${text}` : label}
      title={isCopied === false ? t('notCopied') : undefined}
      onClick={() => void copyText(text).then(setCopied)}
      className="inline-flex min-h-6 min-w-6 max-w-full cursor-pointer items-center justify-center gap-1.5 rounded-sm px-1 text-inherit hover:bg-hover"
    >
      {isVisible ? <span className="min-w-0 break-all text-start">{text}</span> : null}
      <Icon aria-hidden className="size-3.5 shrink-0" />
      <span role="status" className="sr-only">
        {isCopied === undefined ? '' : t(isCopied ? 'copied' : 'notCopied')}
      </span>
    </button>
  )
}

interface CodeBlockProps {
  readonly code: string
  readonly label: string
  readonly copyLabel: string
}

/** Code with a button that copies it. Long lines wrap, so that nothing scrolls sideways. */
export const CodeBlock = ({ code, label, copyLabel }: CodeBlockProps) => (
  <figure>
    <figcaption className="mb-1.5 text-13 text-muted">{label}</figcaption>
    <div className="flex items-start gap-2 rounded-control bg-sunken py-2.5 ps-3.5 pe-2.5">
      <pre dir="ltr" className="min-w-0 grow font-mono text-13 whitespace-pre-wrap wrap-anywhere [font-variant-ligatures:none]">
        <code>{code}</code>
      </pre>
      <CopyButton text={code} label={copyLabel} />
    </div>
  </figure>
)

interface PlaceholderProps {
  readonly icon: LucideIcon
  readonly title: string
  /** Its level in the page; default: below the title of the page. */
  readonly heading?: 'h1' | 'h2' | 'h3'
  readonly children?: ReactNode
  /** Buttons. */
  readonly actions?: ReactNode
}

/** A view without content: first use, no results, missing permission. One sentence, one action. */
export const Placeholder = ({ icon: Icon, title, heading: Heading = 'h2', children, actions }: PlaceholderProps) => (
  <div className="grid max-w-120 grid-cols-[minmax(0,1fr)] content-center justify-items-start gap-1 px-6 py-8 *:max-w-full">
    <Icon aria-hidden className="mb-1.5 size-5 text-muted" />
    <Heading className="text-14">{title}</Heading>
    <div className="text-muted">{children}</div>
    {actions ? <div className="mt-3 flex flex-wrap gap-2">{actions}</div> : null}
  </div>
)

interface UnavailableProps extends Pick<PlaceholderProps, 'icon' | 'title' | 'children'> {
  /** The page to continue with, and its name. */
  readonly link: readonly [to: string, label: string]
}

/** In place of a page that cannot be shown: why, and the way to another one. */
export const UnavailablePage = ({ link: [to, label], ...content }: UnavailableProps) => (
  <Card className="max-w-160">
    <Placeholder heading="h1" actions={<ButtonLink to={to}>{label}</ButtonLink>} {...content} />
  </Card>
)

interface LoadErrorProps extends Pick<PlaceholderProps, 'heading'> {
  readonly error: unknown
  readonly retry: () => void
}

/** A view whose data could not be loaded. */
export function LoadError({ error, retry, heading = 'h2' }: LoadErrorProps) {
  const t = useFrameMessages()
  const { format } = useLocale()
  const { sentence, code, requestId, retryAfter } = useErrorText()(error)
  const left = useCountdown(error, retryAfter)
  const filter = useFilter()
  // The position in the address is invalid, and stays so.
  const isWrongPage = useParameter('after') !== undefined && code === 'VALIDATION_ERROR'
  return (
    <div role="alert">
      <Placeholder
        icon={CircleAlert}
        heading={heading}
        title={t('loadFailed')}
        actions={
          isWrongPage ? (
            <Button onClick={() => filter({})}>{t('firstPage')}</Button>
          ) : (
            <Button onClick={retry} disabled={left > 0}>
              <RefreshCw aria-hidden className="size-4" />
              {left > 0 ? t('tryAgainIn', { time: format.duration(left) }) : t('tryAgain')}
            </Button>
          )
        }
      >
        <p>{sentence}</p>
        <div className="mt-2 flex flex-wrap items-center gap-x-3.5 font-mono text-12">
          <span className="min-w-0 wrap-anywhere">{code}</span>
          {requestId ? <CopyButton text={requestId} label={t('copyRequestId')} isVisible /> : null}
        </div>
      </Placeholder>
    </div>
  )
}

const skeletonLines = ['w-3/5', 'w-2/5', 'w-1/2']

/** Lines in the shape of what is loading. They appear after 300 ms. */
export function Skeleton() {
  const t = useFrameMessages()
  return (
    <div role="status" className="pulse space-y-3 py-2">
      <span className="sr-only">{t('loading')}</span>
      {skeletonLines.map((width) => (
        <div key={width} aria-hidden className={clsx('h-2.5 rounded-sm bg-border', width)} />
      ))}
    </div>
  )
}
