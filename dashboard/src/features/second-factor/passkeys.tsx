/** The passkeys of the current user, in the account area. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { useSettings } from '../../api/calls.ts'
import type { PasskeyProblem } from '../../browser/passkey-problems.ts'
import { Button } from '../../components/button.tsx'
import type { DialogHandlers } from '../../components/dialog.tsx'
import { ErrorNote, Note } from '../../components/feedback.tsx'
import { Checkbox } from '../../components/field.tsx'
import { Card, IconTile, Line, Lines, Setting, Tag } from '../../components/layout.tsx'
import { Pending } from '../../components/skeleton.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call } from '../../session/session.ts'
import { Dates } from './factors.tsx'
import { messages as factorMessages } from './messages.ts'
import { type Passkey, passkeysQuery, provePasskey, refreshPasskeys } from './passkey-data.ts'
import { type PasskeyAction, PasskeyDialogs } from './passkey-dialogs.tsx'
import { messages } from './passkey-messages.ts'

type Handlers = Pick<DialogHandlers, 'onDone' | 'focusAfter'>

interface Props extends Handlers {
  /** Whether the first one is also a second factor: the user has another. */
  readonly isFactor?: boolean
}

export function Passkeys({ onDone, focusAfter, isFactor = false }: Props) {
  const t = useMessages(messages)
  const { data, error, refetch } = useQuery(passkeysQuery)
  const [action, setAction] = useState<PasskeyAction | null>(null)
  return (
    <Setting title={t('passkeys')} description={t('passkeysText')}>
      {data ? (
        <div className="grid grid-cols-1 gap-3">
          <PasskeyList passkeys={data} onAct={setAction} />
          <AddPasskey passkeys={data} onDone={onDone} offersSignOut={isFactor && data.length === 0} />
        </div>
      ) : (
        <Pending error={error} retry={() => void refetch()} />
      )}
      <PasskeyDialogs action={action} onClose={() => setAction(null)} onDone={onDone} focusAfter={focusAfter} />
    </Setting>
  )
}

/** @returns a function that names a passkey */
export function usePasskeyName(): (passkey: Pick<Passkey, 'name' | 'provider'>) => string {
  const t = useMessages(messages)
  return ({ name, provider }) => name || provider || t('unnamed')
}

interface ListProps {
  readonly passkeys: readonly Passkey[]
  readonly onAct: (action: PasskeyAction) => void
}

function PasskeyList({ passkeys, onAct }: ListProps) {
  const t = useMessages(messages)
  if (passkeys.length === 0) return <Card className="px-4 py-3.5 text-13 text-muted">{t('none')}</Card>
  return (
    <Card>
      <Lines>
        {passkeys.map((passkey) => (
          <PasskeyLine key={passkey.id} passkey={passkey} onAct={onAct} />
        ))}
      </Lines>
    </Card>
  )
}

function PasskeyLine({ passkey, onAct }: { readonly passkey: Passkey } & Pick<ListProps, 'onAct'>) {
  const t = useMessages(messages)
  const name = usePasskeyName()(passkey)
  const { backedUp, suspendedAt } = passkey
  return (
    <Line
      icon={
        <IconTile>
          <Fingerprint className="size-4" />
        </IconTile>
      }
      title={
        <span className="flex flex-wrap gap-2">
          {name}
          {suspendedAt === null ? (
            <Tag>{backedUp ? t('synced') : t('notSynced')}</Tag>
          ) : (
            <Tag tone="danger">{t('suspended')}</Tag>
          )}
        </span>
      }
      action={
        <div className="flex flex-wrap gap-2">
          {suspendedAt === null ? null : (
            <Button onClick={() => onAct({ kind: 'restore', passkey })} aria-label={t('useAgainNamed', { name })}>
              {t('useAgain')}
            </Button>
          )}
          <Button onClick={() => onAct({ kind: 'rename', passkey })} aria-label={t('renameNamed', { name })}>
            {t('rename')}
          </Button>
          <Button variant="danger" onClick={() => onAct({ kind: 'remove', passkey })} aria-label={t('removeNamed', { name })}>
            {t('remove')}
          </Button>
        </div>
      }
    >
      {suspendedAt === null ? null : <p>{t('suspendedText')}</p>}
      <Dates of={passkey} unused={t('neverUsed')} />
    </Line>
  )
}

interface Addition {
  /** On the authenticator. */
  readonly isStored: boolean
  readonly signsOutOthers: boolean
}

/** @returns the new passkey, or why the browser has made none */
async function addPasskey({ isStored, signsOutOthers }: Addition): Promise<Passkey | PasskeyProblem> {
  const options = await call('GET /passkey/generate-register-options', { query: {} })
  const { createPasskey } = await import('../../browser/passkeys.ts')
  const created = await createPasskey(options, isStored)
  if (typeof created === 'string') return created
  const passkey = await call('POST /passkey/verify-registration', { body: { response: { ...created } } })
  await refreshPasskeys()
  if (signsOutOthers) await call('POST /revoke-other-sessions', {})
  return passkey as Passkey
}

/** A password manager has led here, by `/.well-known/passkey-endpoints`. */
function focusIfWanted(button: HTMLButtonElement | null): void {
  if (new URLSearchParams(location.search).get('add') === 'passkey') button?.focus()
}

interface AddProps extends Pick<ListProps, 'passkeys'>, Pick<Handlers, 'onDone'> {
  /** Whether other sessions, which have not proven it, may end. */
  readonly offersSignOut: boolean
}

function AddPasskey({ passkeys, onDone, offersSignOut }: AddProps) {
  const t = useMessages(messages)
  const factor = useMessages(factorMessages)
  const [signsOut, setSignsOut] = useState(true)
  const nameOf = usePasskeyName()
  const { twoFactor, passkey } = useSettings()
  const { mutate, isPending, error, data, variables } = useMutation({
    mutationFn: addPasskey,
    onSuccess: (added) => typeof added !== 'string' && onDone(t('added', { name: nameOf(added) })),
  })
  const add = (isStored: boolean) => mutate({ isStored, signsOutOthers: offersSignOut && signsOut })
  const unused = typeof data === 'object' && passkeys.find(({ id, lastUsedAt }) => id === data.id && lastUsedAt === null)
  const problem = typeof data === 'string' && data !== 'replaced' ? data : null
  // It cannot sign in without a password or an email address: of use as a second factor, or where the page asks for the address.
  const mayBeUnstored = problem === 'cancelled' && (twoFactor !== null || passkey?.byEmail === true)
  if (!('PublicKeyCredential' in globalThis)) return <p className="text-13 text-muted">{t('notHere')}</p>
  return (
    <div className="grid justify-items-start gap-3">
      {error ? <ErrorNote error={error} /> : null}
      {problem ? (
        <Note tone="danger" isLive>
          <p>{t(problem)}</p>
          {mayBeUnstored ? <p>{t('keyHasNoRoom')}</p> : null}
        </Note>
      ) : null}
      {offersSignOut ? (
        <Checkbox
          label={factor('signOutOthers')}
          checked={signsOut}
          disabled={isPending}
          onChange={({ target }) => setSignsOut(target.checked)}
        />
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button
          ref={focusIfWanted}
          data-add-passkey
          isBusy={isPending && variables.isStored}
          disabled={isPending}
          onClick={() => add(true)}
        >
          {t('add')}
        </Button>
        {mayBeUnstored || (isPending && !variables.isStored) ? (
          <Button isBusy={isPending && !variables.isStored} disabled={isPending} onClick={() => add(false)}>
            {t('addUnstored')}
          </Button>
        ) : null}
      </div>
      {unused ? <TestPasskey key={unused.id} passkey={unused} onDone={onDone} /> : null}
    </div>
  )
}

/** Whether a new passkey works is better found out while another method still does. */
function TestPasskey({ passkey, onDone }: { readonly passkey: Passkey } & Pick<Handlers, 'onDone'>) {
  const t = useMessages(messages)
  const name = usePasskeyName()(passkey)
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () => provePasskey(passkey),
    onSuccess: async (result) => {
      if (typeof result === 'string') return
      onDone(t('tested', { name }))
      await refreshPasskeys()
    },
  })
  return (
    <Note title={t('testTitle')}>
      <p>{t('testText')}</p>
      {error ? <ErrorNote error={error} /> : null}
      {typeof data === 'string' ? <p role="alert">{t('testFailed')}</p> : null}
      <div className="pt-1.5">
        <Button isBusy={isPending} onClick={() => mutate()}>
          {t('test')}
        </Button>
      </div>
    </Note>
  )
}
