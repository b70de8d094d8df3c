/** What the current user may do with a member. What the last owner must keep is shown with the reason. */

import { Ellipsis, LogOut, Shuffle, UserCog, UserMinus } from 'lucide-react'
import { listedNames } from '../../../../src/lib/text.ts'
import { useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../components/menu.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { type Organization, useOrganization } from '../../session/organizations.ts'
import { useSession } from '../../session/session.ts'
import type { Member } from './data.ts'
import type { MemberAction } from './member-dialogs.tsx'
import { messages } from './messages.ts'

interface Allowed {
  readonly role: boolean
  readonly team: boolean
  readonly removal: boolean
}

/** As the API decides: only members with the creator role change others who have it. */
function allowedFor(organization: Organization, member: Member, creatorRole: string, hasTeams: boolean): Allowed {
  const isAbove = !listedNames(member.role).includes(creatorRole) || organization.isCreator
  const mayUpdate = organization.allows('member', 'update')
  return {
    role: isAbove && mayUpdate,
    team: hasTeams && (mayUpdate || organization.allows('team', 'update')),
    removal: isAbove && organization.allows('member', 'delete'),
  }
}

interface Props {
  readonly member: Member
  /** Whether only one member has the creator role. */
  readonly hasOneCreator: boolean
  readonly onChoose: (action: MemberAction) => void
}

export function MemberMenu({ member, hasOneCreator, onChoose }: Props) {
  const t = useMessages(messages)
  const settings = useSettings().organization
  const organization = useOrganization()
  const isOwn = useSession().user.id === member.userId
  const creatorRole = settings?.creatorRole ?? ''
  const allowed = allowedFor(organization, member, creatorRole, settings?.teams ?? false)
  const isLast = hasOneCreator && listedNames(member.role).includes(creatorRole)
  const reason = isLast ? t('lastOwner') : undefined
  if (!allowed.role && !allowed.team && !allowed.removal && !isOwn) return null
  return (
    <Menu
      trigger={
        <Button variant="ghost" isIcon aria-label={t('actionsFor', { name: member.user.name })}>
          <Ellipsis aria-hidden className="size-4" />
        </Button>
      }
    >
      {allowed.role ? (
        <MenuItem onSelect={() => onChoose({ kind: 'role', member })} disabledReason={reason}>
          <UserCog aria-hidden className="size-4 text-muted" />
          {t('changeRole')}
        </MenuItem>
      ) : null}
      {allowed.team ? (
        <MenuItem onSelect={() => onChoose({ kind: 'team', member })}>
          <Shuffle aria-hidden className="size-4 text-muted" />
          {t('changeTeams')}
        </MenuItem>
      ) : null}
      {allowed.role || allowed.team ? <MenuSeparator /> : null}
      {isOwn ? (
        <MenuItem isDanger onSelect={() => onChoose({ kind: 'leave', member })} disabledReason={reason}>
          <LogOut aria-hidden className="size-4" />
          {t('leaveOrganization')}
        </MenuItem>
      ) : allowed.removal ? (
        <MenuItem isDanger onSelect={() => onChoose({ kind: 'removal', member })} disabledReason={reason}>
          <UserMinus aria-hidden className="size-4" />
          {t('removeMember')}
        </MenuItem>
      ) : null}
    </Menu>
  )
}
