/** What happened in an organization, as sentences. */
import { Building2, Eye, KeyRound, Layers, type LucideIcon, Mail, Shield, UserRound } from 'lucide-react'
import { IconTile, Time } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import type { Activity } from './data.ts'
import { messages } from './messages.ts'
import { useRoleList } from './role-names.ts'

export const activityTexts = {
  'events.read': 'activityRead',
  'organization.created': 'organizationCreated',
  'organization.updated': 'organizationUpdated',
  'member.added': 'memberAdded',
  'member.joined': 'memberJoined',
  'member.role-changed': 'memberRoleChanged',
  'member.removed': 'memberWasRemoved',
  'member.left': 'memberLeft',
  'invitation.created': 'invitationCreated',
  'invitation.resent': 'invitationResent',
  'invitation.canceled': 'invitationCanceled',
  'invitation.rejected': 'invitationRejected',
  'team.created': 'teamCreated',
  'team.updated': 'teamUpdated',
  'team.removed': 'teamWasRemoved',
  'team.member-added': 'teamMemberAdded',
  'team.member-removed': 'teamMemberRemoved',
  'organization-role.created': 'ownRoleCreated',
  'organization-role.updated': 'ownRoleChanged',
  'organization-role.deleted': 'ownRoleDeleted',
  'organization-key.created': 'keyCreated',
  'organization-key.updated': 'keyChanged',
  'organization-key.deleted': 'keyRevoked',
  'organization-key.expired': 'keyExpired',
} as const

const icons: Readonly<Record<string, LucideIcon>> = {
  events: Eye,
  organization: Building2,
  member: UserRound,
  invitation: Mail,
  team: Layers,
  'organization-role': Shield,
  'organization-key': KeyRound,
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const isKnown = (action: string): action is keyof typeof activityTexts => Object.hasOwn(activityTexts, action)

/** Names are current, except names of removed teams. */
function useActivityText(): (activity: Activity) => string {
  const t = useMessages(messages)
  const roles = useRoleList()
  return ({ action, actor, target, details }) => {
    const role = (value: unknown) => (textOf(value) ? roles(textOf(value)) : '')
    const actorName = actor.kind === 'user' ? (actor.name ?? t('deletedAccount')) : t('operator')
    if (!isKnown(action)) return t('otherActivity', { actor: actorName, action })
    const teamName = textOf(action === 'team.updated' ? details.to : details.name)
    return t(activityTexts[action], {
      actor: actorName,
      target: (target?.type === 'team' && teamName) || (target?.name ?? t('deletedAccount')),
      from: action === 'member.role-changed' ? role(details.from) : textOf(details.from),
      to: action === 'member.role-changed' ? role(details.to) : textOf(details.to),
      role: role(details.role),
      team: textOf(details.team),
      name: textOf(details.name),
      slug: textOf(details.slug),
    })
  }
}

export function ActivityEntries({ activities }: { readonly activities: readonly Activity[] }) {
  const text = useActivityText()
  return (
    <ol className="divide-y divide-border text-13">
      {activities.map((activity) => {
        const Icon = icons[activity.action.split('.')[0] ?? ''] ?? Building2
        return (
          <li key={activity.id} className="flex items-center gap-3 px-4 py-2.5">
            <IconTile>
              <Icon className="size-4" />
            </IconTile>
            <p className="min-w-0 grow wrap-anywhere">
              {text(activity)}
              <span className="block text-12 text-muted">
                <Time value={activity.createdAt} />
              </span>
            </p>
          </li>
        )
      })}
    </ol>
  )
}
