/** The keys as a table that becomes cards below 640 px. */
import { Ellipsis, KeyRound, Pencil, Power, Trash2 } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { IconTile, Tag, Time } from '../../components/layout.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../components/menu.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { type ApiKey, type KeyState, rateLimitOf, stateOf, useKeyOwner } from './data.ts'
import { messages } from './index.ts'
import type { KeyAction } from './key-dialogs.tsx'

const tones = { active: 'success', disabled: 'neutral', expired: 'danger' } as const satisfies Record<KeyState, string>

function StateTag({ apiKey }: { readonly apiKey: ApiKey }) {
  const t = useMessages(messages)
  const state = stateOf(apiKey, new Date())
  const texts = { active: t('statusActive'), disabled: t('statusDisabled'), expired: t('statusExpired') }
  return <Tag tone={tones[state]}>{texts[state]}</Tag>
}

/** `projects: read, write; files: read`. */
const permissionText = (permissions: NonNullable<ApiKey['permissions']>): string =>
  Object.entries(permissions)
    .map(([resource, actions]) => `${resource}: ${actions.join(', ')}`)
    .join('; ')

export const useKeyName = () => {
  const t = useMessages(messages)
  return ({ name, start }: Pick<ApiKey, 'name' | 'start'>): string => name ?? (start === null ? t('unnamed') : `${start}…`)
}

interface RowProps {
  readonly apiKey: ApiKey
  readonly onChoose: (action: KeyAction) => void
}

function KeyMenu({ apiKey, onChoose }: RowProps) {
  const t = useMessages(messages)
  const name = useKeyName()(apiKey)
  const { may } = useKeyOwner()
  if (!may('update') && !may('delete')) return null
  return (
    <Menu
      trigger={
        <Button variant="ghost" isIcon aria-label={t('actionsFor', { name })}>
          <Ellipsis aria-hidden className="size-4" />
        </Button>
      }
    >
      {may('update') ? (
        <>
          <MenuItem onSelect={() => onChoose({ kind: 'name', apiKey })}>
            <Pencil aria-hidden className="size-4 text-muted" />
            {t('rename')}
          </MenuItem>
          <MenuItem onSelect={() => onChoose({ kind: 'switch', apiKey })}>
            <Power aria-hidden className="size-4 text-muted" />
            {apiKey.enabled ? t('disable') : t('enable')}
          </MenuItem>
        </>
      ) : null}
      {may('update') && may('delete') ? <MenuSeparator /> : null}
      {may('delete') ? (
        <MenuItem isDanger onSelect={() => onChoose({ kind: 'revocation', apiKey })}>
          <Trash2 aria-hidden className="size-4" />
          {t('revoke')}
        </MenuItem>
      ) : null}
    </Menu>
  )
}

function KeyRow({ apiKey, onChoose }: RowProps) {
  const t = useMessages(messages)
  const { locale, format } = useLocale()
  const rateLimit = rateLimitOf(apiKey, locale)
  const name = useKeyName()(apiKey)
  const { sets } = useKeyOwner()
  const { configId, start, permissions, lastRequest, expiresAt, remaining, createdAt } = apiKey
  const permits = permissions === null ? null : t('permits', { permissions: permissionText(permissions) })
  return (
    <Row
      head={
        <RowHead
          icon={
            <IconTile>
              <KeyRound aria-hidden className="size-4" />
            </IconTile>
          }
          name={name}
          detail={
            <>
              {apiKey.name === null || start === null ? null : <bdi className="block truncate font-mono">{start}…</bdi>}
              {sets.length > 1 && configId !== undefined ? (
                <bdi className="block truncate">{`${t('set')}: ${configId}`}</bdi>
              ) : null}
              {permits}
            </>
          }
        />
      }
      action={<KeyMenu apiKey={apiKey} onChoose={onChoose} />}
    >
      <Cell label={t('status')}>
        <StateTag apiKey={apiKey} />
      </Cell>
      <Cell label={t('lastUsed')}>{lastRequest === null ? t('notUsed') : <Time value={lastRequest} />}</Cell>
      <Cell label={t('expires')}>{expiresAt === null ? t('noExpiration') : <Time value={expiresAt} style="date" />}</Cell>
      <Cell label={t('uses')} isWideOnly>
        <span className="tabular-nums">{remaining === null ? t('unlimited') : format.number(remaining)}</span>
        {rateLimit ? <span className="block text-12 text-muted">{t('rateLimit', rateLimit)}</span> : null}
      </Cell>
      <Cell label={t('created')} isWideOnly>
        <Time value={createdAt} style="date" />
      </Cell>
    </Row>
  )
}

interface TableProps {
  readonly keys: readonly ApiKey[]
  readonly onChoose: (action: KeyAction) => void
}

export function useKeyColumns() {
  const t = useMessages(messages)
  return [
    { label: t('name') },
    { label: t('status') },
    { label: t('lastUsed') },
    { label: t('expires') },
    { label: t('uses'), isWideOnly: true },
    { label: t('created'), isWideOnly: true },
  ]
}

export function KeyTable({ keys, onChoose }: TableProps) {
  const t = useMessages(messages)
  const columns = useKeyColumns()
  return (
    <Table columns={columns} label={t('apiKeys')} hasActions>
      {keys.map((apiKey) => (
        <KeyRow key={apiKey.id} apiKey={apiKey} onChoose={onChoose} />
      ))}
    </Table>
  )
}
