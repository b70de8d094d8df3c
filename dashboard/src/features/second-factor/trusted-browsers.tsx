/** The browsers in which the current user needs no second factor. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useDeviceName } from '../../components/device.tsx'
import { ConfirmDialog, type DialogHandlers } from '../../components/dialog.tsx'
import { Card, Line, Lines, Setting, Tag, Time } from '../../components/layout.tsx'
import { Pending } from '../../components/skeleton.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call } from '../../session/session.ts'
import { browsersQuery, refreshFactors, type TrustedBrowser } from './data.ts'
import { messages } from './messages.ts'

/** Which browsers the user is about to trust no longer. */
type Chosen = TrustedBrowser | 'all'

const endTrust = (chosen: Chosen): Promise<unknown> =>
  chosen === 'all'
    ? call('POST /two-factor/revoke-trusted-devices', {})
    : call('POST /two-factor/revoke-trusted-device', { body: { id: chosen.id } })

export function TrustedBrowsers({ onDone, focusAfter }: Pick<DialogHandlers, 'onDone' | 'focusAfter'>) {
  const t = useMessages(messages)
  const nameOf = useBrowserName()
  const { data, error, refetch } = useQuery(browsersQuery)
  const [chosen, setChosen] = useState<Chosen>('all')
  const [isOpen, setOpen] = useState(false)
  const open = (next: Chosen) => {
    setChosen(next)
    setOpen(true)
  }
  const name = chosen === 'all' ? '' : nameOf(chosen)
  return (
    <Setting title={t('trustedBrowsers')} description={t('trustText')}>
      {data ? <BrowserList browsers={data} onEnd={open} /> : <Pending error={error} retry={() => void refetch()} />}
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={chosen === 'all' ? t('endAllQuestion') : t('endQuestion', { name })}
        confirmLabel={chosen === 'all' ? t('endAll') : t('endTrust')}
        call={async () => {
          await endTrust(chosen)
          await refreshFactors()
          onDone(chosen === 'all' ? t('allEnded') : t('ended', { name }))
        }}
        focusAfter={focusAfter}
      >
        <p>{chosen === 'all' ? t('endAllText') : t('endText')}</p>
      </ConfirmDialog>
    </Setting>
  )
}

function useBrowserName(): (browser: TrustedBrowser) => string {
  const t = useMessages(messages)
  const deviceName = useDeviceName()
  return ({ name }) => (name === null ? t('unnamedBrowser') : deviceName(name))
}

interface ListProps {
  readonly browsers: readonly TrustedBrowser[]
  readonly onEnd: (chosen: Chosen) => void
}

function BrowserList({ browsers, onEnd }: ListProps) {
  const t = useMessages(messages)
  const nameOf = useBrowserName()
  if (browsers.length === 0) return <Card className="px-4 py-3.5 text-13 text-muted">{t('noBrowsers')}</Card>
  return (
    <div className="grid grid-cols-1 justify-items-start gap-3">
      <Card className="w-full">
        <Lines>
          {browsers.map((browser) => {
            const name = nameOf(browser)
            return (
              <Line
                key={browser.id}
                title={
                  <span className="flex flex-wrap gap-2">
                    {name}
                    {browser.isCurrent ? <Tag tone="accent">{t('thisBrowser')}</Tag> : null}
                  </span>
                }
                action={
                  <Button onClick={() => onEnd(browser)} aria-label={t('endNamed', { name })}>
                    {t('endTrust')}
                  </Button>
                }
              >
                {t('lastUsed')} <Time value={browser.lastUsedAt} /> · {t('trustedUntil')}{' '}
                <Time value={browser.expiresAt} style="date" />
              </Line>
            )
          })}
        </Lines>
      </Card>
      {browsers.length > 1 ? (
        <Button variant="danger" onClick={() => onEnd('all')}>
          {t('endAll')}
        </Button>
      ) : null}
    </div>
  )
}
