/** The roles of an organization: what each permits, side by side; on narrow screens, one after the other. */

import { clsx } from 'clsx'
import { Check, Minus } from 'lucide-react'
import { lazy } from 'react'
import { listedNames } from '../../../../src/lib/text.ts'
import { useSettings } from '../../api/calls.ts'
import { TextLink } from '../../components/button.tsx'
import { Card, PageHead, Section, Tag } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { type ListedRole, organizationPath, useOrganization } from '../../session/organizations.ts'
import { messages } from './messages.ts'
import { useRoleName } from './role-names.ts'
import { allPermissions, permissionsOf, useActionText, useRoleSummary } from './role-parts.tsx'

/** More do not fit side by side. */
const mostColumns = 5

/** With what members may do with roles of their organization, which most installations do not have. */
const OwnRoles = lazy(() => import('./own-roles.tsx').then((module) => ({ default: module.OwnRoles })))

export function Screen() {
  const t = useMessages(messages)
  const { ownRoles = false } = useSettings().organization ?? {}
  if (ownRoles) return <OwnRoles>{(parts) => <RoleList {...parts} />}</OwnRoles>
  return (
    <>
      <PageHead title={t('roles')}>{t('rolesLead')}</PageHead>
      <RoleList />
    </>
  )
}

interface Parts {
  readonly tag?: (role: ListedRole) => React.ReactNode
  readonly actions?: (role: ListedRole) => React.ReactNode
}

function RoleList({ tag, actions }: Parts) {
  const t = useMessages(messages)
  const { roles } = useOrganization()
  const all = allPermissions(roles, useSettings().organization?.teams ?? false)
  const hasMatrix = roles.length <= mostColumns
  return (
    <>
      <Card>
        <ul className="divide-y divide-border">
          {roles.map((role) => (
            <RoleLine key={role.role} role={role} all={all} tag={tag?.(role)} actions={actions?.(role)} />
          ))}
        </ul>
      </Card>
      <Section title={t('permissions')} description={t('permissionsText')}>
        {hasMatrix ? <Matrix roles={roles} all={all} /> : null}
        <div className={clsx('grid gap-3', hasMatrix && 'card:hidden')}>
          {roles.map((role) => (
            <RoleCard key={role.role} role={role} all={all} />
          ))}
        </div>
      </Section>
    </>
  )
}

interface RoleProps {
  readonly role: ListedRole
  readonly all: readonly string[]
}

function RoleLine({ role, all, tag, actions }: RoleProps & { readonly tag: React.ReactNode; readonly actions: React.ReactNode }) {
  const t = useMessages(messages)
  const name = useRoleName()
  const summary = useRoleSummary()
  const { id, role: own } = useOrganization()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3.5 text-13">
      <div className="min-w-0 grow basis-60">
        <div className="flex flex-wrap items-center gap-1.5">
          <h2 className="text-14 wrap-anywhere">{name(role.role)}</h2>
          {listedNames(own).includes(role.role) ? <Tag tone="accent">{t('yourRole')}</Tag> : null}
          {role.isCreatorRole ? <Tag tone="brass">{t('alwaysKept')}</Tag> : null}
          {tag}
        </div>
        <p className="text-muted wrap-anywhere">{summary(role, all)}</p>
      </div>
      <TextLink to={organizationPath(id, 'members') as string} search={{ role: role.role }}>
        {t('showMembersOf', { role: name(role.role) })}
      </TextLink>
      {actions}
    </li>
  )
}

function Mark({ isPermitted }: { readonly isPermitted: boolean }) {
  const t = useMessages(messages)
  const Icon = isPermitted ? Check : Minus
  return (
    <>
      <Icon aria-hidden className={clsx('inline size-4', isPermitted ? 'text-success' : 'text-muted')} />
      <span className="sr-only">{isPermitted ? t('allowed') : t('notAllowed')}</span>
    </>
  )
}

function Matrix({ roles, all }: { readonly roles: readonly ListedRole[]; readonly all: readonly string[] }) {
  const t = useMessages(messages)
  const name = useRoleName()
  const text = useActionText()
  const permitted = roles.map((role) => permissionsOf([role]))
  return (
    <div className="hidden card:block">
      <Card>
        <table className="w-full table-fixed text-13">
          <thead className="bg-sunken text-12 text-muted">
            <tr>
              <th scope="col" className="h-9 w-2/5 rounded-ss-card px-4 text-start font-medium">
                {t('permission')}
              </th>
              {roles.map(({ role }) => (
                <th key={role} scope="col" className="px-2 py-1 text-center font-medium wrap-anywhere last:rounded-se-card">
                  {name(role)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-border">
            {all.map((permission) => (
              <tr key={permission} className="h-10">
                <th scope="row" className="px-4 py-1.5 text-start font-normal wrap-anywhere">
                  {text(permission)}
                </th>
                {permitted.map((own, position) => (
                  <td key={roles[position]?.role} className="px-2 text-center">
                    <Mark isPermitted={own.has(permission)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
    </div>
  )
}

function RoleCard({ role, all }: RoleProps) {
  const t = useMessages(messages)
  const name = useRoleName()
  const text = useActionText()
  const own = permissionsOf([role])
  return (
    <Card className="px-4 py-3">
      <h3 className="mb-1.5 text-14 wrap-anywhere">{name(role.role)}</h3>
      <ul className="grid gap-1 text-13">
        {own.size === 0 ? <li className="text-muted">{t('permitsNothing')}</li> : null}
        {all
          .filter((permission) => own.has(permission))
          .map((permission) => (
            <li key={permission} className="flex items-start gap-2 wrap-anywhere">
              <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
              {text(permission)}
            </li>
          ))}
      </ul>
    </Card>
  )
}
