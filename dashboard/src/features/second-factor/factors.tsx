/** The second factors of the current user, and those that they can add. */
import { Fingerprint, KeySquare, Mail, MessageSquareText, Smartphone } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSettings } from '../../api/calls.ts'
import { Button, TextLink } from '../../components/button.tsx'
import { useDeviceName } from '../../components/device.tsx'
import { Note } from '../../components/feedback.tsx'
import { Card, IconTile, Line, Lines, Time } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useSession } from '../../session/session.ts'
import type { FactorStatus, OwnFactor } from './data.ts'
import type { FactorAction } from './factor-dialogs.tsx'
import { messages } from './messages.ts'

/** @returns a function that names a factor */
export function useFactorName(): (factor: Pick<OwnFactor, 'type' | 'channel'>) => string {
  const t = useMessages(messages)
  return ({ type, channel }) => {
    if (type === 'totp') return t('app')
    if (type === 'otp') return channel === 'email' ? t('emails') : t('texts')
    return t('ownPasskey')
  }
}

interface Props {
  readonly status: FactorStatus
  readonly onAct: (action: FactorAction) => void
}

export function Factors({ status, onAct }: Props) {
  const { passkey, twoFactor: settings } = useSettings()
  const has = (type: string) => status.methods.some((one) => one.type === type)
  return (
    <Card>
      <Lines>
        {settings?.totp || has('totp') ? (
          <AppLine factor={status.methods.find(({ type }) => type === 'totp')} onAct={onAct} />
        ) : null}
        {passkey || status.enabledMethods.includes('passkey') ? <PasskeyLine status={status} onAct={onAct} /> : null}
        {settings?.channels.map((channel) => (
          <SentLine
            key={channel}
            channel={channel}
            factor={status.methods.find((one) => one.channel === channel)}
            onAct={onAct}
          />
        ))}
        {status.enabled ? <BackupLine left={status.backupCodesLeft} onAct={onAct} /> : null}
      </Lines>
    </Card>
  )
}

const Icon = ({ children }: { readonly children: ReactNode }) => <IconTile>{children}</IconTile>

interface DatesProps {
  readonly of: Pick<OwnFactor, 'createdAt' | 'addedWith' | 'lastUsedAt'>
  /** Of what was not used yet; default: nothing. */
  readonly unused?: string
}

/** When and where it was added, and when it was last used. */
export function Dates({ of: { createdAt, addedWith, lastUsedAt }, unused }: DatesProps) {
  const t = useMessages(messages)
  const deviceName = useDeviceName()
  const added =
    createdAt === null ? null : (
      <>
        {t('addedOn')} <Time value={createdAt} style="date" />
        {addedWith === null ? null : ` ${t('addedWith', { device: deviceName(addedWith) })}`}
      </>
    )
  const used =
    lastUsedAt === null ? (
      unused
    ) : (
      <>
        {t('lastUsed')} <Time value={lastUsedAt} />
      </>
    )
  return (
    <p>
      {added}
      {added && used ? ' · ' : null}
      {used}
    </p>
  )
}

interface FactorProps extends Pick<Props, 'onAct'> {
  readonly factor: OwnFactor | undefined
}

function AppLine({ factor, onAct }: FactorProps) {
  const t = useMessages(messages)
  const setUp = () => onAct({ kind: 'app', isReplacement: factor !== undefined })
  return (
    <Line
      icon={
        <Icon>
          <Smartphone className="size-4" />
        </Icon>
      }
      title={t('app')}
      action={
        factor ? (
          <div className="flex flex-wrap gap-2">
            <Button onClick={setUp}>{t('replaceApp')}</Button>
            <Button variant="danger" onClick={() => onAct({ kind: 'remove', method: 'totp' })}>
              {t('removeApp')}
            </Button>
          </div>
        ) : (
          <Button variant="primary" onClick={setUp}>
            {t('setUpApp')}
          </Button>
        )
      }
    >
      {factor ? <Dates of={factor} /> : t('appText')}
      {factor?.clock ? (
        <div className="mt-2">
          <Note tone="warning">{t(factor.clock === 'slow' ? 'clockSlow' : 'clockFast')}</Note>
        </div>
      ) : null}
    </Line>
  )
}

/** Passkeys are managed below: here they become what the password needs in addition. */
function PasskeyLine({ status, onAct }: Props) {
  const t = useMessages(messages)
  const isOn = status.enabledMethods.includes('passkey')
  const hasOne = status.methods.some(({ type }) => type === 'passkey')
  const turnOff = (
    <Button variant="danger" onClick={() => onAct({ kind: 'remove', method: 'passkey' })}>
      {t('turnOffPasskey')}
    </Button>
  )
  const turnOn = <Button onClick={() => onAct({ kind: 'passkey' })}>{t('turnOnPasskey')}</Button>
  return (
    <Line
      icon={
        <Icon>
          <Fingerprint className="size-4" />
        </Icon>
      }
      title={t('passkeyFactor')}
      action={isOn ? turnOff : hasOne ? turnOn : null}
    >
      {isOn ? t('passkeyOn') : hasOne ? (status.enabled ? t('passkeyAnyway') : t('passkeyText')) : t('addPasskeyFirst')}
    </Line>
  )
}

function SentLine({ channel, factor, onAct }: FactorProps & { readonly channel: 'sms' | 'email' }) {
  const t = useMessages(messages)
  const nameOf = useFactorName()
  const { user } = useSession()
  const isText = channel === 'sms'
  const canSend = isText ? user.phoneNumberVerified === true : user.emailVerified
  const Mark = isText ? MessageSquareText : Mail
  const turnOn = <Button onClick={() => onAct({ kind: 'send', channel })}>{isText ? t('turnOnTexts') : t('turnOnEmails')}</Button>
  const turnOff = (
    <Button variant="danger" onClick={() => onAct({ kind: 'remove', method: 'otp' })}>
      {isText ? t('turnOffTexts') : t('turnOffEmails')}
    </Button>
  )
  return (
    <Line
      icon={
        <Icon>
          <Mark className="size-4" />
        </Icon>
      }
      title={nameOf({ type: 'otp', channel })}
      action={factor ? turnOff : canSend ? turnOn : null}
    >
      {factor ? (
        <>
          <p>{t('sentTo', { to: factor.to ?? '' })}</p>
          <Dates of={factor} />
        </>
      ) : canSend ? (
        isText ? (
          t('textsText')
        ) : (
          t('emailsText')
        )
      ) : (
        <TextLink to="/account/password">{isText ? t('verifyNumberFirst') : t('verifyEmailFirst')}</TextLink>
      )}
    </Line>
  )
}

function BackupLine({ left, onAct }: Pick<Props, 'onAct'> & { readonly left: number }) {
  const t = useMessages(messages)
  return (
    <Line
      icon={
        <Icon>
          <KeySquare className="size-4" />
        </Icon>
      }
      title={t('backupCodes')}
      action={<Button onClick={() => onAct({ kind: 'new-codes' })}>{t('newCodes')}</Button>}
    >
      {t('codesLeft', { count: left })}
    </Line>
  )
}
