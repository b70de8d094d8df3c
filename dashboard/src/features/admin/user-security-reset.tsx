/** The reset of second factors that a user has lost, with a preview of what it does. */
import { useState } from 'react'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { Checkbox, TextField } from '../../components/field.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { call } from '../../session/session.ts'
import { refreshAdmin } from './data.ts'
import type { PartProps } from './user.tsx'
import { messages, type UserFactors } from './user-security-data.ts'
import { factorWord } from './user-security-words.ts'

interface Props extends Pick<PartProps, 'user' | 'onDone' | 'focusAfter'> {
  readonly name: string
  readonly factors: UserFactors
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** In the order of the contract. */
const kinds = ['totp', 'otp', 'passkeys', 'backup-codes'] as const
type Kind = (typeof kinds)[number]

/** What a user has. */
const ownKinds = ({ methods, passkeys, backupCodesLeft }: UserFactors): Kind[] =>
  kinds.filter((kind) => {
    if (kind === 'passkeys') return passkeys.length > 0
    return kind === 'backup-codes' ? backupCodesLeft > 0 : methods.some(({ type }) => type === kind)
  })

const kindOf = (type: string): Kind | undefined => (type === 'passkey' ? 'passkeys' : kinds.find((kind) => kind === type))

export function ResetDialog({ user, name, factors, isOpen, onClose, onDone, focusAfter }: Props) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const own = ownKinds(factors)
  const [chosen, setChosen] = useState<readonly Kind[]>(own.filter((kind) => kind !== 'passkeys'))
  const [text, setText] = useState('')
  const reason = text.trim()
  const labels = { totp: t('app'), otp: t('sentCodes'), passkeys: t('passkeys'), 'backup-codes': t('backupCodes') }
  const reset = async () => {
    const body = { userId: user.id, reason, factors: own.filter((kind) => chosen.includes(kind)) }
    const { effectiveAt } = await call('POST /admin/reset-two-factor', { body })
    await refreshAdmin()
    const date = new Date(effectiveAt)
    // The clock of this browser may be behind.
    const isWaiting = date.getTime() - Date.now() > 300_000
    onDone(isWaiting ? t('resetPending', { name, date: format.dateTime(date) }) : t('resetDone', { name }))
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('resetQuestion', { name })}
      confirmLabel={t('reset')}
      isConfirmDisabled={reason === '' || chosen.length === 0}
      call={reset}
      focusAfter={focusAfter}
    >
      <p>{t('resetText')}</p>
      <TextField
        label={t('resetReason')}
        hint={t('resetReasonHint')}
        maxLength={500}
        required
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-13 font-medium">{t('resetWhat')}</legend>
        {own.map((kind) => (
          <Checkbox
            key={kind}
            label={labels[kind]}
            checked={chosen.includes(kind)}
            onChange={({ target }) => setChosen(target.checked ? [...chosen, kind] : chosen.filter((one) => one !== kind))}
          />
        ))}
      </fieldset>
      <Effects user={user} factors={factors} chosen={chosen} />
    </ConfirmDialog>
  )
}

/** What follows from the choice, before it is confirmed. */
function Effects({ user, factors, chosen }: Pick<Props, 'user' | 'factors'> & { readonly chosen: readonly Kind[] }) {
  const t = useMessages(messages)
  const { methods, backupCodesLeft, trustedDevices } = factors
  const isEnding = ({ type }: { readonly type: string }) => chosen.some((kind) => kind === kindOf(type))
  const names = (shown: UserFactors['methods']) => shown.map((method) => factorWord(t, method)).join(', ')
  const left = methods.filter((method) => !isEnding(method))
  const ending = methods.filter(isEnding)
  // Without another factor there is nothing that backup codes could take the place of.
  const codesEnd = chosen.includes('backup-codes') || left.length === 0
  const effects = [
    ...(ending.length > 0 ? [t('effectFactors', { names: names(ending) })] : []),
    ...(codesEnd && backupCodesLeft > 0 ? [t('effectCodes', { count: backupCodesLeft })] : []),
    ...(trustedDevices.length > 0 ? [t('effectBrowsers', { count: trustedDevices.length })] : []),
    t('effectSessions'),
    t(user.emailVerified ? 'effectMail' : 'effectNoMail'),
    left.length > 0 ? t('effectLeft', { names: names(left) }) : factors.required ? t('effectRule') : t('effectOpen'),
  ]
  return (
    <div>
      <h3 className="mb-1.5 text-13 font-medium">{t('effects')}</h3>
      <ul className="grid list-disc gap-1 ps-5 text-13">
        {effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
    </div>
  )
}
