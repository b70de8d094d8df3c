/** Users in words and shapes: status, roles, and what roles permit. */

import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { listedNames } from '../../../../src/lib/text.ts'
import { ErrorNote, Skeleton } from '../../components/feedback.tsx'
import { Tag } from '../../components/layout.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { type Role, rolesQuery } from '../../session/roles.ts'
import { type Status, statusOf, type User } from './data.ts'
import { messages } from './index.ts'

const shapes: Record<Status, string> = {
  active: 'rounded-full bg-success forced-colors:bg-[CanvasText]',
  unverified: 'rounded-full border-2 border-brass',
  banned: 'rounded-[2px] bg-danger forced-colors:bg-[CanvasText]',
  locked: 'rounded-[2px] border-2 border-danger',
}

/** A shape and a word: color alone does not say it. */
export function UserStatus({ user }: { readonly user: Pick<User, 'banned' | 'banExpires' | 'emailVerified' | 'lockedAt'> }) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const status = statusOf(user)
  const until = status === 'banned' && user.banExpires ? format.date(new Date(user.banExpires)) : undefined
  return (
    <span className="inline-flex items-center gap-2" title={until && t('bannedUntil', { date: until })}>
      <span aria-hidden className={clsx('size-2 shrink-0', shapes[status])} />
      {t(status)}
    </span>
  )
}

const knownRoles = { user: 'roleUser', admin: 'roleAdmin' } as const

/** The name of a role in the language of the pages; others have the name that the configuration gives them. */
export function useRoleName(): (role: string) => string {
  const t = useMessages(messages)
  return (role) => (Object.hasOwn(knownRoles, role) ? t(knownRoles[role as keyof typeof knownRoles]) : role)
}

/** The most frequent role is quiet; only the others have a tag. */
export function RoleTags({ role }: { readonly role: string | null }) {
  const name = useRoleName()
  const names = listedNames(role)
  if (names.every((one) => one === 'user')) return <span className="text-muted">{name('user')}</span>
  return (
    <span className="inline-flex flex-wrap gap-1">
      {names.map((one) => (
        <Tag key={one} tone={one === 'admin' ? 'brass' : 'neutral'}>
          {name(one)}
        </Tag>
      ))}
    </span>
  )
}

/** Roles in an organization, with the names that the configuration gives them. */
export const MemberRoles = ({ role }: { readonly role: string }) => (
  <span translate="no" className="inline-flex flex-wrap gap-1">
    {listedNames(role).map((one) => (
      <Tag key={one}>{one}</Tag>
    ))}
  </span>
)

export function useDisplayName(): (user: Pick<User, 'name'>) => string {
  const t = useMessages(messages)
  return ({ name }) => name.trim() || t('noName')
}

const actionsOf = ({ permissions }: Pick<Role, 'permissions'>): string[] =>
  Object.entries(permissions).flatMap(([resource, actions]) => actions.map((action) => `${resource}:${action}`))

/** One line: how much a role permits. Actions have the names that the configuration uses. */
function RoleSummary({ role, all }: { readonly role: Role; readonly all: number }) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const actions = actionsOf(role)
  if (actions.length === 0) return t('permitsNothing')
  if (actions.length >= all) return t('permitsEverything')
  const rest = actions.length - 6
  return (
    <>
      <span translate="no" className="font-mono text-12 wrap-anywhere">
        {actions.slice(0, 6).join(', ')}
      </span>
      {rest > 0 ? ` ${t('more', { count: format.number(rest) })}` : null}
    </>
  )
}

interface ChoiceProps {
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** Chooses roles, each with what it permits. */
export function RoleChoice({ chosen, onChange }: ChoiceProps) {
  const t = useMessages(messages)
  const name = useRoleName()
  const { data, error } = useQuery(rolesQuery)
  if (!data) return error ? <ErrorNote error={error} /> : <Skeleton />
  const all = Math.max(...data.roles.map((role) => actionsOf(role).length))
  const toggle = (role: string, isOn: boolean) => onChange(isOn ? [...chosen, role] : chosen.filter((one) => one !== role))
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-13 font-medium">{t('roles')}</legend>
      <div className="divide-y divide-border rounded-control border border-border">
        {data.roles.map((role) => (
          <label key={role.role} className="flex min-h-(--target) cursor-pointer gap-2.5 px-3 py-2.5 text-13">
            <input
              type="checkbox"
              checked={chosen.includes(role.role)}
              onChange={(event) => toggle(role.role, event.target.checked)}
              className="mt-0.5 size-4 shrink-0 accent-(--accent)"
            />
            <span className="min-w-0">
              <span className="block font-medium wrap-anywhere">{name(role.role)}</span>
              <span className="block text-muted">
                <RoleSummary role={role} all={all} />
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
