/** The details of one event: at the side of the list, or where there is no room in a drawer above it. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy, SearchX, X } from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { hasCode } from '../../api/calls.ts'
import { copyText } from '../../browser/clipboard.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Sheet } from '../../components/dialog.tsx'
import { LoadError, Placeholder, Skeleton } from '../../components/feedback.tsx'
import { Card } from '../../components/layout.tsx'
import { showToast } from '../../components/toast.tsx'
import type { AuditEvent } from '../../events/index.ts'
import { EventSentence } from '../../events/sentence.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { eventQuery } from './data.ts'
import { Changes, EventFacts, Integrity } from './event-parts.tsx'
import { messages } from './index.ts'

const wide = matchMedia('(min-width: 82rem)')
function subscribe(listener: () => void): () => void {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}
const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches)

export function EventDetails({ id }: { readonly id: string }) {
  const t = useMessages(messages)
  const navigate = useNavigate()
  const isWide = useIsWide()
  const panel = useRef<HTMLElement>(null)
  const close = () => {
    const search = ({ event: _, ...rest }: Record<string, unknown>) => rest
    void navigate({ to: '.', search: search as never, resetScroll: false })
    document.getElementById(`event-${id}`)?.focus()
  }
  useEffect(() => {
    // When it was opened with the address, the page keeps the focus where the browser has put it.
    if (isWide && document.activeElement?.id === `event-${id}`) panel.current?.focus()
  }, [id, isWide])
  if (isWide)
    return (
      <aside
        ref={panel}
        tabIndex={-1}
        aria-label={t('eventDetails')}
        onKeyDown={({ key }) => key === 'Escape' && close()}
        className="sticky top-[calc(var(--fixed-bars)+1.5rem)] max-h-[calc(100dvh-var(--bars)-3rem)] min-w-0 overflow-y-auto rounded-card outline-offset-0"
      >
        <Card>
          <Contents id={id} onClose={close} />
        </Card>
      </aside>
    )
  return (
    <Sheet isOpen onClose={close} label={t('eventDetails')} side="end" className="w-96 max-w-full bg-surface">
      <Contents id={id} onClose={close} />
    </Sheet>
  )
}

interface ContentsProps {
  readonly id: string
  readonly onClose: () => void
}

function Contents({ id, onClose }: ContentsProps) {
  const t = useMessages(messages)
  const { data, error, refetch } = useQuery(eventQuery(id))
  return (
    <>
      <header className="flex items-start gap-3 border-b border-border py-3 ps-5 pe-3">
        <div className="min-w-0 grow pt-1">
          <h2 className="text-14">{t('eventDetails')}</h2>
          {data ? (
            <p translate="no" className="font-mono text-12 text-muted">
              {data.action}
            </p>
          ) : null}
        </div>
        <Button variant="ghost" isIcon aria-label={t('close')} onClick={onClose}>
          <X aria-hidden className="size-4" />
        </Button>
      </header>
      {data ? (
        <>
          <div className="px-5 py-3">
            <p className="mb-2 text-13 wrap-anywhere">
              <EventSentence event={data} />
            </p>
            <EventFacts event={data} />
            <Changes details={data.details} />
            <Integrity event={data} />
          </div>
          <Actions event={data} />
        </>
      ) : hasCode(error, 'EVENT_NOT_FOUND') ? (
        <Placeholder icon={SearchX} title={t('eventGone')} heading="h3">
          {t('eventGoneText')}
        </Placeholder>
      ) : (
        <div className="px-5 py-2">
          {error ? <LoadError error={error} heading="h3" retry={() => void refetch()} /> : <Skeleton />}
        </div>
      )}
    </>
  )
}

function Actions({ event }: { readonly event: AuditEvent }) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { actor, user } = event
  const copy = async () => showToast(frame((await copyText(JSON.stringify(event, null, 2))) ? 'copied' : 'notCopied'))
  return (
    <footer className="flex flex-wrap gap-2 border-t border-border px-5 py-3">
      <Button onClick={() => void copy()}>
        <Copy aria-hidden className="size-4" />
        {t('copyJSON')}
      </Button>
      {actor.id ? (
        <ButtonLink to={'/admin/events' as string} search={{ actorId: actor.id }}>
          {t('actorEvents')}
        </ButtonLink>
      ) : null}
      {user && user.id !== actor.id ? (
        <ButtonLink to={'/admin/events' as string} search={{ userId: user.id }}>
          {t('userEvents')}
        </ButtonLink>
      ) : null}
    </footer>
  )
}
