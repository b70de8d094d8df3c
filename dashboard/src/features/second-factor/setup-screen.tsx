/** Sets up the second factor that a rule demands, between the first factor and the session. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ClientError, pageURL, refreshSession, send, useSettings } from '../../api/calls.ts'
import { Button, ExternalButton } from '../../components/button.tsx'
import { ErrorNote } from '../../components/feedback.tsx'
import { Pending } from '../../components/skeleton.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { Codes } from './setup-codes.tsx'
import { type Done, leaveTo, type PendingSetup, setupQuery } from './setup-data.ts'
import { setupMessages as messages } from './setup-messages.ts'
import { AppStep, TextStep } from './setup-methods.tsx'
import { CodeStep, type Method, MethodChoice } from './setup-steps.tsx'
import { challengeOver } from './ways.ts'

export function Screen() {
  const { data, dataUpdatedAt, error, refetch } = useQuery(setupQuery)
  const { callbackURL } = useSearch({ strict: false }) as { readonly callbackURL?: string }
  const [codes, setCodes] = useState<readonly string[]>()
  const [target, setTarget] = useState(callbackURL)
  const finish = async ({ url, backupCodes = [] }: Done) => {
    const next = url ?? callbackURL
    if (backupCodes.length === 0) return leaveTo(next)
    await refreshSession()
    setTarget(next)
    setCodes(backupCodes)
  }
  if (codes) return <Codes codes={codes} onDone={() => leaveTo(target)} />
  if (error instanceof ClientError && error.code === challengeOver) return <Over callbackURL={callbackURL} />
  if (!data) return <Pending error={error} retry={() => void refetch()} heading="h1" />
  if (data.kind === 'verify') {
    location.replace(pageURL('/two-factor', { callbackURL }))
    return null
  }
  // The clock of this browser may be wrong.
  const endsAt = new Date(dataUpdatedAt + data.expiresIn * 1000)
  return <Setup pending={data} endsAt={endsAt} onProven={refetch} onDone={finish} callbackURL={callbackURL} />
}

interface SetupProps {
  readonly pending: PendingSetup
  readonly endsAt: Date
  readonly onProven: () => Promise<unknown>
  readonly onDone: (done: Done) => Promise<void>
  readonly callbackURL: string | undefined
}

function Setup({ pending, endsAt, onProven, onDone, callbackURL }: SetupProps) {
  const [method, setMethod] = useState<Method>()
  const back = () => setMethod(undefined)
  const steps = {
    totp: <AppStep onDone={onDone} onBack={back} />,
    sms: <TextStep onDone={onDone} onBack={back} />,
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      <Head pending={pending} endsAt={endsAt} />
      {pending.codeTo != null ? (
        <CodeStep to={pending.codeTo} onProven={onProven} />
      ) : method ? (
        steps[method]
      ) : (
        <MethodChoice methods={pending.methods} onChoose={setMethod} onDone={onDone} />
      )}
      <Cancel callbackURL={callbackURL} />
    </div>
  )
}

function Head({ pending: { required }, endsAt }: Pick<SetupProps, 'pending' | 'endsAt'>) {
  const t = useMessages(messages)
  const { appName } = useSettings()
  const { format } = useLocale()
  const dueAt = required?.dueAt ? new Date(required.dueAt) : null
  return (
    <header className="grid gap-2">
      <h1 className="text-24 font-semibold">{t('title')}</h1>
      <p className="text-muted">
        {t('why', { appName })} {dueAt && dueAt <= new Date() ? t('since', { date: format.date(dueAt) }) : null}
      </p>
      <p className="text-13 text-muted">{t('until', { time: format.hour(endsAt) })}</p>
    </header>
  )
}

function Cancel({ callbackURL }: Pick<SetupProps, 'callbackURL'>) {
  const t = useMessages(messages)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send('POST /two-factor/cancel', {}),
    onSuccess: () => location.replace(pageURL('/sign-in', { callbackURL })),
  })
  return (
    <div className="grid justify-items-start gap-3 border-t border-border pt-4">
      {error ? <ErrorNote error={error} /> : null}
      <Button variant="ghost" isBusy={isPending} onClick={() => mutate()}>
        {t('cancel')}
      </Button>
    </div>
  )
}

function Over({ callbackURL }: Pick<SetupProps, 'callbackURL'>) {
  const t = useMessages(messages)
  return (
    <div className="grid justify-items-start gap-4">
      <h1 className="text-24 font-semibold">{t('over')}</h1>
      <p className="text-muted">{t('overText')}</p>
      <ExternalButton variant="primary" href={pageURL('/sign-in', { callbackURL })}>
        {t('signIn')}
      </ExternalButton>
    </div>
  )
}
