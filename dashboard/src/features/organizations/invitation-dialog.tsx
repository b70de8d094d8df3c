/** Invites one or many email addresses. What could not be sent stays in the dialog with the reason, and can be sent again. */
import { useState } from 'react'
import { useSettings } from '../../api/calls.ts'
import { useErrorText } from '../../api/errors.ts'
import { Button, TextLink } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote, Note, useCountdown } from '../../components/feedback.tsx'
import { Checkbox, TextArea } from '../../components/field.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { organizationPath, refreshOrganization, useOrganization } from '../../session/organizations.ts'
import { useTeams } from './data.ts'
import { useSendsInvitations } from './invitation-data.ts'
import { mostAddresses, useDrafts } from './invitation-drafts.ts'
import { messages } from './invitation-messages.ts'
import { AddressRows } from './invitation-rows.tsx'
import { type Progress, type Sent, useSending } from './invitation-sending.ts'

interface Props {
  readonly onClose: () => void
  /** Says what was done. */
  readonly onDone: (text: string) => void
}

/** Sends what can be sent, and says how that ended. */
function useInvite(drafts: ReturnType<typeof useDrafts>, { onClose, onDone }: Props) {
  const t = useMessages(messages)
  const { id } = useOrganization()
  const isMailed = useSendsInvitations()
  const { progress, send, stop } = useSending()
  const [teamIds, setTeamIds] = useState<readonly string[]>([])
  const [result, setResult] = useState<Sent | null>(null)
  const errorText = useErrorText()
  const { error } = result ?? {}
  const wait = useCountdown(error, error === undefined ? undefined : errorText(error).retryAfter)
  const start = async () => {
    const { sendable, skipped } = drafts
    setResult(null)
    const sent = await send(sendable, { organizationId: id, teamIds })
    await refreshOrganization(id)
    if (sent.sent.length < sendable.length) {
      setResult(sent)
      return drafts.keepUnsent(sent)
    }
    onClose()
    onDone(
      [
        t(isMailed ? 'sentCount' : 'createdCount', { count: sent.sent.length }),
        skipped > 0 ? t('skippedCount', { count: skipped }) : '',
      ]
        .join(' ')
        .trim(),
    )
  }
  return { progress, stop, start, result, wait, teamIds, setTeamIds }
}

export function InviteDialog(props: Props) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { organization: settings } = useSettings()
  const drafts = useDrafts()
  const { progress, stop, start, result, wait, teamIds, setTeamIds } = useInvite(drafts, props)
  const { format } = useLocale()
  const [isTried, setTried] = useState(false)
  const isMailed = useSendsInvitations()
  const count = drafts.sendable.length
  const submit = () => {
    setTried(true)
    if (count > 0 && drafts.addressCount <= mostAddresses) void start()
  }
  const label =
    count === 0 ? t(isMailed ? 'sendNone' : 'createNone') : t(isMailed ? 'sendInvitations' : 'createInvitations', { count })
  const hours = Math.round((settings?.invitationExpiresIn ?? 0) / 3600)
  return (
    <Dialog
      isOpen
      isWide
      // Escape must not end the sending: there is a button for that.
      onClose={() => progress || props.onClose()}
      title={t('inviteMembers')}
      description={t(isMailed ? 'inviteLead' : 'inviteLeadWithoutMail', { hours })}
      actions={
        <>
          <Summary drafts={drafts} />
          <Button onClick={progress ? stop : props.onClose}>{progress ? t('stop') : frame('cancel')}</Button>
          <Button variant="primary" isBusy={progress !== null} disabled={wait > 0} onClick={submit}>
            {wait > 0 ? frame('tryAgainIn', { time: format.duration(wait) }) : label}
          </Button>
        </>
      }
    >
      {result ? <Outcome result={result} /> : null}
      {drafts.checkError && !result ? <ErrorNote error={drafts.checkError} /> : null}
      {drafts.roles.length === 0 ? <Note tone="warning">{t('noRoleToGive')}</Note> : null}
      <Addresses drafts={drafts} isTried={isTried} isBusy={progress !== null} />
      <AddressRows drafts={drafts} failures={result?.failures ?? new Map()} isBusy={progress !== null} />
      <TeamChoice chosen={teamIds} onChange={setTeamIds} isBusy={progress !== null} />
      {progress ? <SendingProgress progress={progress} /> : <CompareRoles />}
    </Dialog>
  )
}

interface AddressesProps {
  readonly drafts: ReturnType<typeof useDrafts>
  readonly isTried: boolean
  readonly isBusy: boolean
}

function Addresses({ drafts: { text, setText, finish, addressCount, sendable }, isTried, isBusy }: AddressesProps) {
  const t = useMessages(messages)
  const tooMany = addressCount > mostAddresses ? t('tooMany', { count: mostAddresses }) : undefined
  return (
    <TextArea
      label={t('addresses')}
      hint={t('addressesHint')}
      error={tooMany ?? (isTried && sendable.length === 0 ? t('noAddressYet') : undefined)}
      rows={3}
      value={text}
      readOnly={isBusy}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      inputMode="email"
      onChange={(event) => setText(event.target.value)}
      onBlur={finish}
    />
  )
}

/** Announced when it changes. */
function Summary({ drafts: { addressCount, sendable } }: Pick<AddressesProps, 'drafts'>) {
  const t = useMessages(messages)
  return (
    <p role="status" className="me-auto text-13 text-muted tabular-nums">
      {addressCount === 0 ? '' : t('willBeInvited', { count: sendable.length, total: addressCount })}
    </p>
  )
}

function Outcome({ result: { sent, failures, error } }: { readonly result: Sent }) {
  const t = useMessages(messages)
  const isMailed = useSendsInvitations()
  return (
    <>
      {sent.length > 0 ? (
        <Note tone="success" isLive>
          {t(isMailed ? 'sentCount' : 'createdCount', { count: sent.length })}
        </Note>
      ) : null}
      {failures.size > 0 ? (
        <Note tone="danger" isLive>
          {t('failedCount', { count: failures.size })}
        </Note>
      ) : null}
      {error === undefined ? null : <ErrorNote error={error} />}
    </>
  )
}

interface TeamChoiceProps {
  readonly chosen: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
  readonly isBusy: boolean
}

/** As many as the API takes. */
const mostTeams = 25

/** The teams that all invited users join. */
function TeamChoice({ chosen, onChange, isBusy }: TeamChoiceProps) {
  const t = useMessages(messages)
  const teams = useTeams(useOrganization())
  if (teams.length === 0) return null
  const toggle = (id: string) => onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return (
    <fieldset className="min-w-0" disabled={isBusy}>
      <legend className="mb-1.5 text-13 font-medium">{t('teams')}</legend>
      <div className="-m-1 grid gap-x-4 p-1 card:max-h-40 card:grid-cols-2 card:overflow-y-auto">
        {teams.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={<bdi className="wrap-anywhere">{name}</bdi>}
            checked={chosen.includes(id)}
            disabled={chosen.length >= mostTeams && !chosen.includes(id)}
            onChange={() => toggle(id)}
          />
        ))}
      </div>
    </fieldset>
  )
}

function CompareRoles() {
  const t = useMessages(messages)
  const { id } = useOrganization()
  return (
    <p className="text-13">
      <TextLink to={organizationPath(id, 'roles') as string}>{t('compareRoles')}</TextLink>
    </p>
  )
}

function SendingProgress({ progress: { done, total, pause } }: { readonly progress: Progress }) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const left = useCountdown(pause ?? undefined, pause?.seconds)
  return (
    <div className="grid gap-1.5 text-13">
      <progress
        value={done}
        max={total}
        aria-label={t('inviteMembers')}
        className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-fill [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-fill [&::-webkit-progress-value]:bg-accent"
      />
      <p role="status" className="text-muted tabular-nums">
        {t('sending', { done, total })}
      </p>
      {left > 0 ? <p className="text-muted tabular-nums">{t('pausedFor', { time: format.duration(left) })}</p> : null}
    </div>
  )
}
