/** Security of the account: what signing in needs, the second factors, and the browsers that need none. */
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { apiPath, useSettings } from '../../api/calls.ts'
import { NotWhileImpersonating } from '../../components/blocked.tsx'
import { Button, ExternalButton } from '../../components/button.tsx'
import { Note } from '../../components/feedback.tsx'
import { PageHead, Setting } from '../../components/layout.tsx'
import { Pending } from '../../components/skeleton.tsx'
import { useResult } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { accountsQuery, hasPassword } from '../../session/accounts.ts'
import { type FactorStatus, factorsQuery } from './data.ts'
import { type FactorAction, FactorDialogs } from './factor-dialogs.tsx'
import { Factors } from './factors.tsx'
import { messages } from './messages.ts'
import { Passkeys } from './passkeys.tsx'
import { TrustedBrowsers } from './trusted-browsers.tsx'

/** With its texts, when it is due. */
const Rehearsal = lazy(async () => {
  const [{ Rehearsal }] = await Promise.all([
    import('./rehearsal.tsx'),
    import('./rehearsal-messages.ts').then(({ rehearsalMessages }) => rehearsalMessages.load(document.documentElement.lang)),
  ])
  return { default: Rehearsal }
})

const isDue = ({ rehearsalAt }: FactorStatus): boolean => rehearsalAt !== null && Date.parse(rehearsalAt) <= Date.now()

/** So few are left that the page asks for new ones. */
const fewCodes = 3

export function Screen() {
  const t = useMessages(messages)
  const { twoFactor } = useSettings()
  return (
    <>
      <PageHead title={t('title')}>{t('lead')}</PageHead>
      <NotWhileImpersonating>{twoFactor ? <WithFactors /> : <OnlyPasskeys />}</NotWhileImpersonating>
    </>
  )
}

function OnlyPasskeys() {
  const result = useResult()
  return (
    <>
      {result.note}
      <Passkeys onDone={result.show} focusAfter={result.ref} />
    </>
  )
}

function WithFactors() {
  const t = useMessages(messages)
  const { data: status, error, refetch } = useQuery(factorsQuery)
  const accounts = useQuery(accountsQuery)
  const retry = () => void Promise.all([refetch(), accounts.refetch()])
  return status && accounts.data ? (
    <OwnSecurity status={status} hasPassword={hasPassword(accounts.data)} />
  ) : (
    <Setting title={t('secondFactors')} description={t('factorsText')}>
      <Pending error={error ?? accounts.error} retry={retry} />
    </Setting>
  )
}

interface Props {
  readonly status: FactorStatus
  readonly hasPassword: boolean
}

function OwnSecurity({ status, hasPassword: byPassword }: Props) {
  const t = useMessages(messages)
  const result = useResult()
  const { passkey, twoFactor } = useSettings()
  const trustDays = twoFactor?.trustDays ?? 0
  const [action, setAction] = useState<FactorAction | null>(null)
  const act = (next: FactorAction) => {
    result.clear()
    setAction(next)
  }
  return (
    <>
      <div className="mb-6 grid grid-cols-1 gap-3">
        <p className="max-w-[68ch] text-16">{useStateSentence(status, byPassword)}</p>
        {status.enabled && status.backupCodesLeft <= fewCodes ? (
          <Note tone="warning" title={t('fewCodes', { count: status.backupCodesLeft })}>
            <p>{t('fewCodesText')}</p>
            <div className="pt-1.5">
              <Button onClick={() => act({ kind: 'new-codes' })}>{t('newCodes')}</Button>
            </div>
          </Note>
        ) : null}
        {isDue(status) && status.backupCodesLeft > fewCodes ? (
          <Suspense>
            <Rehearsal onDone={result.show} focusAfter={result.ref} />
          </Suspense>
        ) : null}
        {needsPasskey(status) && passkey !== null ? <NextStep /> : null}
        {result.note}
        {status.enabled ? <WayBack /> : null}
      </div>
      <Setting title={t('secondFactors')} description={t('factorsText')}>
        <Factors status={status} onAct={act} />
      </Setting>
      {passkey ? <Passkeys onDone={result.show} focusAfter={result.ref} isFactor={status.enabled} /> : null}
      {status.enabled && trustDays > 0 ? <TrustedBrowsers onDone={result.show} focusAfter={result.ref} /> : null}
      <FactorDialogs
        action={action}
        onClose={() => setAction(null)}
        onDone={result.show}
        focusAfter={result.ref}
        status={status}
        hasPassword={byPassword}
      />
    </>
  )
}

/** Codes can be given to a page that only looks like the right one; a passkey cannot. Other notes are more urgent. */
const needsPasskey = (status: FactorStatus): boolean =>
  status.enabled &&
  status.backupCodesLeft > fewCodes &&
  !isDue(status) &&
  'PublicKeyCredential' in globalThis &&
  status.methods.every(({ type }) => type !== 'passkey')

function NextStep() {
  const t = useMessages(messages)
  return (
    <Note title={t('nextStep')}>
      <p>{t('nextStepText')}</p>
      <div className="pt-1.5">
        <Button onClick={() => document.querySelector<HTMLElement>('[data-add-passkey]')?.focus()}>{t('goToPasskeys')}</Button>
      </div>
    </Note>
  )
}

/** For a user whom a page has sent here to set up a second factor, such as that of an invitation. */
function WayBack() {
  const t = useMessages(messages)
  const { callbackURL } = useSearch({ strict: false }) as { readonly callbackURL?: string }
  if (typeof callbackURL !== 'string') return null
  // The API checks where an application gets its visitor back.
  const href = `${apiPath}/continue?${new URLSearchParams({ callbackURL })}`
  return (
    <Note tone="success" title={t('goesBack')}>
      <div className="pt-1.5">
        <ExternalButton variant="primary" href={href}>
          {t('goBack')}
        </ExternalButton>
      </div>
    </Note>
  )
}

/** What signing in needs, in one sentence, and what helps when the factor is lost. */
function useStateSentence({ enabled, backupCodesLeft, methods }: FactorStatus, byPassword: boolean): string {
  const t = useMessages(messages)
  if (!enabled) return byPassword ? t('passwordOnly') : t('oneStepOnly')
  const isCode = methods.every(({ type }) => type === 'totp' || type === 'otp')
  const isPasskey = methods.every(({ type }) => type === 'passkey')
  const withPassword = isPasskey ? t('passwordAndPasskey') : isCode ? t('passwordAndCode') : t('passwordAndFactor')
  const needs = byPassword ? withPassword : isPasskey ? t('passkeyToo') : t('codeToo')
  const isWithoutPhone = isPasskey || methods.every(({ channel }) => channel === 'email')
  const count = { count: backupCodesLeft }
  return `${needs} ${isWithoutPhone ? t('codesInReserve', count) : t('whenPhoneIsLost', count)}`
}
