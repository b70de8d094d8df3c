/** Roles of members in words: their names, and what they permit. */

import { Check, Minus } from 'lucide-react'
import { listedNames } from '../../../../src/lib/text.ts'
import { Tag } from '../../components/layout.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import type { ListedRole } from '../../session/organizations.ts'
import { messages } from './messages.ts'
import { useRoleName } from './role-names.ts'

const toneOf = (role: string) => (role === 'owner' ? 'brass' : role === 'admin' ? 'accent' : 'neutral')

export function RoleTags({ role }: { readonly role: string | null }) {
  const name = useRoleName()
  return (
    <span className="flex flex-wrap gap-1">
      {listedNames(role).map((one) => (
        <Tag key={one} tone={toneOf(one)}>
          {name(one)}
        </Tag>
      ))}
    </span>
  )
}

const knownActions = {
  'organization:update': 'mayUpdateOrganization',
  'organization:delete': 'mayDeleteOrganization',
  'member:create': 'mayCreateMember',
  'member:update': 'mayUpdateMember',
  'member:delete': 'mayDeleteMember',
  'invitation:create': 'mayCreateInvitation',
  'invitation:cancel': 'mayCancelInvitation',
  'team:create': 'mayCreateTeam',
  'team:update': 'mayUpdateTeam',
  'team:delete': 'mayDeleteTeam',
  'ac:create': 'mayCreateRole',
  'ac:read': 'mayReadRole',
  'ac:update': 'mayUpdateRole',
  'ac:delete': 'mayDeleteRole',
  'apiKey:create': 'mayCreateKey',
  'apiKey:read': 'mayReadKey',
  'apiKey:update': 'mayUpdateKey',
  'apiKey:delete': 'mayDeleteKey',
} as const
type KnownAction = keyof typeof knownActions

/** What a permission allows in words; those of the application keep the names that the configuration gives them. */
export function useActionText(): (permission: string) => string {
  const t = useMessages(messages)
  return (permission) => {
    if (Object.hasOwn(knownActions, permission)) return t(knownActions[permission as KnownAction])
    const [resource = '', action = ''] = permission.split(':')
    return `${resource}: ${action}`
  }
}

/** `resource:action` of everything that one of these roles permits. */
export const permissionsOf = (roles: readonly Pick<ListedRole, 'permission'>[]): ReadonlySet<string> =>
  new Set(
    roles.flatMap(({ permission }) =>
      Object.entries(permission).flatMap(([resource, actions]) => actions.map((action) => `${resource}:${action}`)),
    ),
  )

/** `resource:action` of all roles, the built-in ones first; what no feature of this installation uses is left out. */
export function allPermissions(roles: readonly ListedRole[], hasTeams: boolean): string[] {
  const builtIn = Object.keys(knownActions)
  const permitted = permissionsOf(roles)
  const others = [...permitted].filter((one) => !builtIn.includes(one)).sort()
  const isUsed = (one: string) => (one.startsWith('ac:') ? permitted.has(one) : hasTeams || !one.startsWith('team:'))
  return [...builtIn.filter(isUsed), ...others]
}

interface ChangeProps {
  readonly from: readonly ListedRole[]
  readonly to: readonly ListedRole[]
  readonly all: readonly string[]
}

/** What a change of roles adds and removes. */
export function RoleChange({ from, to, all }: ChangeProps) {
  const t = useMessages(messages)
  const text = useActionText()
  const [before, after] = [permissionsOf(from), permissionsOf(to)]
  const added = all.filter((one) => after.has(one) && !before.has(one))
  const removed = all.filter((one) => before.has(one) && !after.has(one))
  if (added.length + removed.length === 0) return <p className="text-13 text-muted">{t('noPermissionChanges')}</p>
  return (
    <div className="grid gap-2 text-13">
      <ChangeList
        title={t('gains')}
        permissions={added.map(text)}
        icon={<Check aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />}
      />
      <ChangeList
        title={t('loses')}
        permissions={removed.map(text)}
        icon={<Minus aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />}
      />
    </div>
  )
}

interface ChangeListProps {
  readonly title: string
  readonly permissions: readonly string[]
  readonly icon: React.ReactNode
}

const ChangeList = ({ title, permissions, icon }: ChangeListProps) =>
  permissions.length === 0 ? null : (
    <div>
      <p className="font-medium">{title}</p>
      <ul className="mt-1 grid gap-x-4 gap-y-0.5 card:grid-cols-2">
        {permissions.map((permission) => (
          <li key={permission} className="flex gap-2">
            {icon}
            {permission}
          </li>
        ))}
      </ul>
    </div>
  )

/** One sentence: how much a role permits. */
export function useRoleSummary(): (role: ListedRole, all: readonly string[]) => string {
  const t = useMessages(messages)
  const text = useActionText()
  const { format } = useLocale()
  return ({ permission }, all) => {
    const own = permissionsOf([{ permission }])
    const permitted = all.filter((one) => own.has(one))
    if (permitted.length === 0) return t('permitsNothing')
    if (permitted.length === all.length) return t('permitsEverything')
    const [shown, rest] = [permitted.slice(0, 3).map(text), permitted.length - 3]
    return [...shown, ...(rest > 0 ? [t('more', { count: format.number(rest) })] : [])].join(' · ')
  }
}
