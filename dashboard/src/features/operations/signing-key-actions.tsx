/** What administrators do with signing keys: rotate, retire, and reject the tokens of one. */
import { useQueryClient } from '@tanstack/react-query'
import { Ban, Copy, Ellipsis, KeySquare, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { copyText } from '../../browser/clipboard.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog, type DialogHandlers, useLast } from '../../components/dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../components/menu.tsx'
import { showToast } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { call } from '../../session/session.ts'
import { type SigningKey, signingKeysQuery } from './data.ts'
import { Code, useDuration } from './parts.tsx'
import { keyMessages } from './system-messages.ts'

interface RotateProps {
  /** Seconds until the new key signs. */
  readonly delay: number
  readonly onDone: (text: string) => void
}

export function RotateKey({ delay, onDone }: RotateProps) {
  const t = useMessages(keyMessages)
  const client = useQueryClient()
  const duration = useDuration()
  const [isOpen, setOpen] = useState(false)
  const rotate = async () => {
    await call('POST /admin/rotate-signing-key', {}).finally(() => void client.invalidateQueries(signingKeysQuery))
    onDone(t('rotated'))
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <RefreshCw aria-hidden className="size-4" />
        {t('rotate')}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('rotateTitle')}
        confirmLabel={t('rotate')}
        variant="primary"
        call={rotate}
      >
        <p className="text-13">{t('rotateText', { time: duration(delay) })}</p>
      </ConfirmDialog>
    </>
  )
}

export interface KeyAction {
  readonly kind: 'retire' | 'remove'
  readonly key: SigningKey
}

interface MenuProps {
  readonly signingKey: SigningKey
  readonly onChoose: (action: KeyAction) => void
}

/** Enough of an ID to recognize the key. */
const startOf = ({ kid }: SigningKey): string => kid.slice(0, 8)

export function KeyMenu({ signingKey: key, onChoose }: MenuProps) {
  const t = useMessages(keyMessages)
  const frame = useFrameMessages()
  const copy = async () => showToast((await copyText(key.kid)) ? t('copied') : frame('notCopied'))
  return (
    <Menu
      trigger={
        <Button variant="ghost" isIcon aria-label={t('actions', { key: startOf(key) })}>
          <Ellipsis aria-hidden className="size-4" />
        </Button>
      }
    >
      <MenuItem onSelect={() => void copy()}>
        <Copy aria-hidden className="size-4 text-muted" />
        {t('copyId')}
      </MenuItem>
      {key.status === 'retired' ? null : (
        <MenuItem onSelect={() => onChoose({ kind: 'retire', key })}>
          <KeySquare aria-hidden className="size-4 text-muted" />
          {t('retire')}
        </MenuItem>
      )}
      {key.status === 'upcoming' ? null : (
        <>
          <MenuSeparator />
          <MenuItem isDanger onSelect={() => onChoose({ kind: 'remove', key })}>
            <Ban aria-hidden className="size-4 text-danger" />
            {t('remove')}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

interface DialogProps extends DialogHandlers {
  readonly action: KeyAction | null
}

export function KeyDialog({ action, onClose, onDone, focusAfter }: DialogProps) {
  const t = useMessages(keyMessages)
  const client = useQueryClient()
  const { last } = useLast(action)
  if (!last) return null
  const { kind, key } = last
  const isRemoval = kind === 'remove'
  const retire = async () => {
    await call('POST /admin/retire-signing-key', { body: { kid: key.kid, removeNow: isRemoval } })
    await client.invalidateQueries(signingKeysQuery)
    onDone(t(isRemoval ? 'removedDone' : 'retiredDone', { key: startOf(key) }))
  }
  return (
    <ConfirmDialog
      isOpen={action !== null}
      onClose={onClose}
      title={t(isRemoval ? 'removeTitle' : 'retireTitle')}
      confirmLabel={t(isRemoval ? 'removeLabel' : 'retire')}
      focusAfter={focusAfter}
      call={retire}
      {...(isRemoval
        ? { typed: { label: t('typeStart', { key: startOf(key) }), matches: (text) => text === startOf(key) } }
        : { variant: 'primary' })}
    >
      <p>
        <Code>{key.kid}</Code>
      </p>
      <p>{t(isRemoval ? 'removeText' : key.status === 'upcoming' ? 'retireUpcomingText' : 'retireText')}</p>
    </ConfirmDialog>
  )
}
