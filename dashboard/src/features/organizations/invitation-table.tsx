/** Invitations as a table, with what can be done with each. */
import { clsx } from 'clsx'
import { Ban, Ellipsis, Link2, Mail, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { IconTile, Time } from '../../components/layout.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../components/menu.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useOrganization } from '../../session/organizations.ts'
import type { InvitationAction } from './invitation-actions.tsx'
import { type Invitation, type Status, statusOf, useInviters, useSendsInvitations } from './invitation-data.ts'
import { messages } from './invitation-messages.ts'
import { useRoleList } from './role-names.ts'

/** The messages with the names of the statuses. */
export const statusKeys = {
  pending: 'statusPending',
  accepted: 'statusAccepted',
  rejected: 'statusRejected',
  expired: 'statusExpired',
  canceled: 'statusCanceled',
} as const

const dots: Record<Status, string> = {
  pending: 'bg-info',
  accepted: 'bg-success',
  rejected: 'bg-danger',
  expired: 'bg-brass',
  canceled: 'bg-muted',
}

/** A dot and a word: the color alone says nothing. */
function InvitationStatus({ status }: { readonly status: Status }) {
  const t = useMessages(messages)
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden className={clsx('size-2 shrink-0 rounded-full', dots[status])} />
      {t(statusKeys[status])}
    </span>
  )
}

/** Relative, with the exact time below: a tooltip would hide it from touch and keyboard. */
function Expiry({ invitation }: { readonly invitation: Invitation }) {
  const status = statusOf(invitation)
  if (status !== 'pending' && status !== 'expired') return <span className="text-muted">–</span>
  return (
    <>
      <Time value={invitation.expiresAt} />
      <span className="block text-12 text-muted">
        <Time value={invitation.expiresAt} style="dateTime" />
      </span>
    </>
  )
}

interface TableProps {
  readonly invitations: readonly Invitation[]
  readonly pages: ReactNode
  readonly onChoose: (action: InvitationAction) => void
}

export function useInvitationColumns() {
  const t = useMessages(messages)
  return [{ label: t('email') }, { label: t('status') }, { label: t('expires') }, { label: t('inviter'), isWideOnly: true }]
}

export function InvitationTable({ invitations, pages, onChoose }: TableProps) {
  const t = useMessages(messages)
  const organization = useOrganization()
  const inviters = useInviters(organization.id, invitations)
  const columns = useInvitationColumns()
  return (
    <Table label={t('invitations')} columns={columns} hasActions footer={pages}>
      {invitations.map((invitation) => (
        <InvitationRow
          key={invitation.id}
          invitation={invitation}
          inviter={inviters.get(invitation.inviterId)}
          menu={<RowMenu invitation={invitation} onChoose={onChoose} />}
        />
      ))}
    </Table>
  )
}

interface RowProps {
  readonly invitation: Invitation
  readonly inviter: string | undefined
  readonly menu: ReactNode
}

function InvitationRow({ invitation, inviter, menu }: RowProps) {
  const t = useMessages(messages)
  const roleList = useRoleList()
  const icon = (
    <IconTile>
      <Mail className="size-4" />
    </IconTile>
  )
  return (
    <Row head={<RowHead icon={icon} name={invitation.email} detail={roleList(invitation.role)} />} action={menu}>
      <Cell label={t('status')}>
        <InvitationStatus status={statusOf(invitation)} />
      </Cell>
      <Cell label={t('expires')}>
        <Expiry invitation={invitation} />
      </Cell>
      <Cell label={t('inviter')} isWideOnly>
        {inviter === undefined ? <span className="text-muted">–</span> : <bdi>{inviter}</bdi>}
      </Cell>
    </Row>
  )
}

interface MenuProps {
  readonly invitation: Invitation
  readonly onChoose: (action: InvitationAction) => void
}

function RowMenu({ invitation, onChoose }: MenuProps) {
  const t = useMessages(messages)
  const { allows } = useOrganization()
  const isMailed = useSendsInvitations()
  const status = statusOf(invitation)
  const isPending = status === 'pending'
  const maySend = allows('invitation', 'create') && status !== 'accepted'
  const mayCancel = allows('invitation', 'cancel') && isPending
  if (!maySend && !mayCancel && !isPending) return null
  return (
    <Menu
      trigger={
        <Button variant="ghost" isIcon aria-label={t('actionsFor', { email: invitation.email })}>
          <Ellipsis aria-hidden className="size-4" />
        </Button>
      }
    >
      {isPending ? (
        <MenuItem onSelect={() => onChoose({ kind: 'link', invitation })}>
          <Link2 aria-hidden className="size-4 text-muted" />
          {t('copyLink')}
        </MenuItem>
      ) : null}
      {maySend ? (
        <MenuItem onSelect={() => onChoose({ kind: 'resend', invitation })}>
          <Send aria-hidden className="size-4 text-muted" />
          {isPending ? t(isMailed ? 'resend' : 'renewInvitation') : t('inviteAgain')}
        </MenuItem>
      ) : null}
      {mayCancel ? <MenuSeparator /> : null}
      {mayCancel ? (
        <MenuItem isDanger onSelect={() => onChoose({ kind: 'cancel', invitation })}>
          <Ban aria-hidden className="size-4" />
          {t('cancelInvitation')}
        </MenuItem>
      ) : null}
    </Menu>
  )
}
