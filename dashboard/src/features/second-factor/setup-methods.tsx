/** The last step of the set-up: the first code of an authenticator app, or of a text message. */
import { useQuery } from '@tanstack/react-query'
import { send, useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { Pending } from '../../components/skeleton.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { AppSecret } from './app-secret.tsx'
import type { Done } from './setup-data.ts'
import { setupMessages as messages } from './setup-messages.ts'
import { CodeForm, NewSetupCode } from './setup-steps.tsx'

interface StepProps {
  readonly onDone: (done: Done) => Promise<void>
  readonly onBack: () => void
}

/** A new secret for each visit of the step; never read again by itself, because that would end the one that was scanned. */
const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false, retry: false } as const

function Back({ onBack }: Pick<StepProps, 'onBack'>) {
  const t = useMessages(messages)
  return <Button onClick={onBack}>{t('otherWay')}</Button>
}

export function AppStep({ onDone, onBack }: StepProps) {
  const t = useMessages(messages)
  const { twoFactor } = useSettings()
  const { data, error, refetch } = useQuery({
    ...once,
    queryKey: ['new-app'],
    queryFn: () => send('POST /two-factor/enable', { body: { method: 'totp' } }),
  })
  if (!data) return <Pending error={error} retry={() => void refetch()} />
  const verify = async (code: string) => {
    const { url } = (await send('POST /two-factor/verify-totp', { body: { code } })) as Done
    await onDone({ url, backupCodes: data.backupCodes })
  }
  return (
    <section className="grid grid-cols-1 gap-4">
      <h2 className="text-16 font-semibold">{t('appTitle')}</h2>
      <CodeForm digits={twoFactor?.digits ?? 6} submitLabel={t('complete')} submit={verify} actions={<Back onBack={onBack} />}>
        <AppSecret totpURI={data.totpURI ?? ''} />
      </CodeForm>
    </section>
  )
}

export function TextStep({ onDone, onBack }: StepProps) {
  const t = useMessages(messages)
  const { twoFactor } = useSettings()
  const { data, error, refetch } = useQuery({
    ...once,
    queryKey: ['first-text'],
    queryFn: () => send('POST /two-factor/send-otp', { body: { channel: 'sms' } }),
  })
  if (!data) return <Pending error={error} retry={() => void refetch()} />
  const verify = async (code: string) => onDone((await send('POST /two-factor/verify-otp', { body: { code } })) as Done)
  return (
    <section className="grid grid-cols-1 gap-4">
      <h2 className="text-16 font-semibold">{t('smsTitle')}</h2>
      <CodeForm
        digits={twoFactor?.codeLength ?? 6}
        submitLabel={t('complete')}
        submit={verify}
        actions={<Back onBack={onBack} />}
      />
      <NewSetupCode channel="sms" />
    </section>
  )
}
