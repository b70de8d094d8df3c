/** The invite links: who may use them, how often, and until when. */
import { useQuery } from '@tanstack/react-query'
import { Plus, Ticket } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog, useLast } from '../../components/dialog.tsx'
import { Placeholder } from '../../components/feedback.tsx'
import { Card, IconTile, Tag, Time } from '../../components/layout.tsx'
import { ListPages } from '../../components/list.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { useResult } from '../../components/toast.tsx'
import { AdminPage } from '../../frame/admin-page.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useListPage } from '../../routes/list-state.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { call } from '../../session/session.ts'
import { CreateLinkDialog } from './create-invite-link.tsx'
import { type InviteLink, linksQuery, pageSize, refreshLinks } from './data.ts'
import { messages } from './index.ts'
import { screenMessages } from './screen-messages.ts'

const stateKeys = { active: 'stateActive', used: 'stateUsed', expired: 'stateExpired', revoked: 'stateRevoked' } as const

export function Screen() {
  const titles = useMessages(messages)
  const t = useMessages(screenMessages)
  const query = useQuery(linksQuery(useListPage().after))
  const result = useResult()
  const isPermitted = useIsPermitted()
  const [isCreating, setCreating] = useState(false)
  const [opening, setOpening] = useState(0)
  const [revoking, setRevoking] = useState<InviteLink | null>(null)
  const create = () => {
    setOpening(opening + 1)
    setCreating(true)
  }
  const button = isPermitted('inviteLink', 'create') ? (
    <Button variant="primary" onClick={create}>
      <Plus aria-hidden className="size-4" />
      {t('createLink')}
    </Button>
  ) : null
  return (
    <>
      <AdminPage title={titles('inviteLinks')} lead={t('inviteLinksLead')} query={query} actions={button} controls={result.note}>
        {({ inviteLinks, nextCursor }) =>
          inviteLinks.length === 0 ? (
            <Card className="max-w-160">
              <Placeholder icon={Ticket} title={t('noLinks')}>
                {t('noLinksText')}
              </Placeholder>
            </Card>
          ) : (
            <LinkTable
              links={inviteLinks}
              next={nextCursor}
              onRevoke={isPermitted('inviteLink', 'revoke') ? setRevoking : undefined}
            />
          )
        }
      </AdminPage>
      <CreateLinkDialog key={opening} isOpen={isCreating} onClose={() => setCreating(false)} onDone={result.show} />
      <RevokeDialog link={revoking} onClose={() => setRevoking(null)} onDone={result.show} />
    </>
  )
}

interface TableProps {
  readonly links: readonly InviteLink[]
  readonly next: string | null
  /** Absent: the role does not permit it. */
  readonly onRevoke: ((link: InviteLink) => void) | undefined
}

function LinkTable({ links, next, onRevoke }: TableProps) {
  const titles = useMessages(messages)
  const t = useMessages(screenMessages)
  const columns = [{ label: t('link') }, { label: t('state') }, { label: t('used') }, { label: t('expires') }]
  const hasActions = onRevoke !== undefined && links.some(({ state }) => state === 'active')
  return (
    <Table
      label={titles('inviteLinks')}
      columns={columns}
      hasActions={hasActions}
      footer={<ListPages pageSize={pageSize} count={links.length} next={next} />}
    >
      {links.map((link) => (
        <Row
          key={link.id}
          head={<LinkHead link={link} />}
          {...(hasActions && {
            isActionBelow: true,
            action:
              link.state === 'active' ? (
                <Button aria-label={t('revokeLink', { label: link.label ?? link.id })} onClick={() => onRevoke(link)}>
                  {t('revoke')}
                </Button>
              ) : null,
          })}
        >
          <Cell label={t('state')}>
            <Tag tone={link.state === 'active' ? 'success' : 'neutral'}>{t(stateKeys[link.state])}</Tag>
          </Cell>
          <Cell label={t('used')}>{t('usesOf', link)}</Cell>
          <Cell label={t('expires')}>
            <Time value={link.expiresAt} style="dateTime" />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

function LinkHead({ link: { label, role, organizationId } }: { readonly link: InviteLink }) {
  const t = useMessages(screenMessages)
  const gives = [role === null ? null : t('givesRole', { role }), organizationId === null ? null : t('givesOrganization')]
  return (
    <RowHead
      icon={
        <IconTile>
          <Ticket className="size-4" />
        </IconTile>
      }
      name={label ?? t('withoutLabel')}
      detail={gives.filter(Boolean).join(' · ')}
      room="none"
    />
  )
}

interface RevokeProps {
  readonly link: InviteLink | null
  readonly onClose: () => void
  readonly onDone: (text: string) => void
}

function RevokeDialog({ link, onClose, onDone }: RevokeProps) {
  const t = useMessages(screenMessages)
  const { last, opening } = useLast(link)
  return (
    <ConfirmDialog
      key={opening}
      isOpen={link !== null}
      onClose={onClose}
      title={t('revokeTitle')}
      confirmLabel={t('revoke')}
      call={async () => {
        if (!last) return
        await call('POST /admin/revoke-invite-link', { body: { id: last.id } })
        onDone(t('linkRevoked'))
        await refreshLinks()
      }}
    >
      <p>{t('revokeText')}</p>
    </ConfirmDialog>
  )
}
