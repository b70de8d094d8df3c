/** A caught email: as sent, in a sandbox, and as plain text. */
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { apiPath, type send } from '../../api/calls.ts'
import { ButtonLink } from '../../components/button.tsx'
import { CopyButton } from '../../components/feedback.tsx'
import { Card, Facts, Tag, Time } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './index.ts'

export type Mail = Awaited<ReturnType<typeof send<'GET /mailbox/list'>>>['mails'][number]

/** The breakpoint `console`. */
const isWide = matchMedia('(min-width: 56.25rem)')

const views = ['asSent', 'plainText'] as const
type View = (typeof views)[number]

interface MailViewProps {
  readonly mail: Mail
  readonly searched: string | undefined
}

export function MailView({ mail, searched }: MailViewProps) {
  const t = useMessages(messages)
  const [view, setView] = useState<View>('asSent')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // On narrow screens the list, with the link that had the focus, is hidden.
    if (heading.current && !isWide.matches) heading.current.focus()
  }, [])
  return (
    <article aria-labelledby="subject">
      <div className="mb-3 console:hidden">
        <ButtonLink to="/mailbox" search={{ to: searched }} variant="ghost">
          <ArrowLeft aria-hidden className="size-4 rtl:rotate-180" />
          {t('backToList')}
        </ButtonLink>
      </div>
      <Card>
        <div className="flex flex-wrap items-start gap-x-4 gap-y-3 px-4 pt-4">
          <h2 id="subject" ref={heading} tabIndex={-1} className="min-w-0 grow basis-48 text-16 outline-none wrap-anywhere">
            {mail.isText ? t('textMessage') : mail.subject}
          </h2>
          {mail.isText ? null : <ViewChoice view={view} onChange={setView} />}
        </div>
        <div className="px-4 py-2">
          <Facts
            isNarrow
            facts={[
              [t('to'), mail.recipient],
              [t('received'), <Time key="received" value={mail.createdAt} style="dateTime" />],
              [t('kind'), <Tag key="kind">{mail.kind}</Tag>],
            ]}
          />
        </div>
        {mail.isText ? (
          <TextMessage text={mail.text} code={mail.code ?? null} />
        ) : view === 'asSent' ? (
          <iframe
            src={`${apiPath}/mailbox/mail/${mail.id}`}
            title={t('contentOf', { subject: mail.subject })}
            className="block h-[max(24rem,60dvh)] w-full rounded-b-card border-t border-border bg-surface"
          />
        ) : (
          <PlainText text={mail.text} />
        )}
      </Card>
    </article>
  )
}

/** A text message, with its code to copy. */
function TextMessage({ text, code }: { readonly text: string; readonly code: string | null }) {
  const t = useMessages(messages)
  return (
    <div className="grid gap-4 border-t border-border p-4">
      <p className="wrap-anywhere">{text}</p>
      {code === null ? null : (
        <p className="flex items-center gap-3 font-mono text-20">
          <CopyButton text={code} label={t('copyCode')} isVisible />
        </p>
      )}
    </div>
  )
}

/** Radio buttons of the platform, in the look of a switch. */
function ViewChoice({ view, onChange }: { readonly view: View; readonly onChange: (view: View) => void }) {
  const t = useMessages(messages)
  return (
    <fieldset className="flex rounded-control bg-fill p-0.5">
      <legend className="sr-only">{t('view')}</legend>
      {views.map((each) => (
        <label
          key={each}
          className="relative inline-flex min-h-7 cursor-pointer items-center rounded-sm px-2.5 text-13 font-medium text-muted hover:text-text has-checked:bg-surface has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input type="radio" name="view" className="sr-only" checked={view === each} onChange={() => onChange(each)} />
          {t(each)}
        </label>
      ))}
    </fieldset>
  )
}

/** The text, with links that can be followed. */
const PlainText = ({ text }: { readonly text: string }) => (
  <div className="border-t border-border p-4 font-mono text-13 whitespace-pre-wrap wrap-anywhere">
    {text.split(/(https?:\/\/\S+)/).map((part, at) =>
      at % 2 === 1 ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
        <a key={at} href={part} target="_blank" rel="noopener" className="text-accent underline underline-offset-3">
          {part}
        </a>
      ) : (
        part
      ),
    )}
  </div>
)
