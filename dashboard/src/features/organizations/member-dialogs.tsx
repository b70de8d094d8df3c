/** Dialogs for a member: another role, another team, removal, and leaving the organization. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { listedNames } from '../../../../src/lib/text.ts'
import { hasCode } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog, Dialog, type DialogHandlers, useLast } from '../../components/dialog.tsx'
import { ErrorNote, Note } from '../../components/feedback.tsx'
import { SelectField } from '../../components/field.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { refreshOrganization, useOrganization } from '../../session/organizations.ts'
import { call, useSession } from '../../session/session.ts'
import { type Member, useTeams } from './data.ts'
import { LeaveThisDialog } from './leave-dialog.tsx'
import { messages } from './messages.ts'
import { useRoleList } from './role-names.ts'
import { allPermissions, RoleChange } from './role-parts.tsx'
import { RolePicker } from './role-picker.tsx'

export interface MemberAction {
  readonly kind: 'role' | 'team' | 'removal' | 'leave'
  readonly member: Member
}

interface DialogProps extends DialogHandlers {
  readonly member: Member
  readonly isOpen: boolean
}

export function MemberDialogs({ action, ...handlers }: DialogHandlers & { readonly action: MemberAction | null }) {
  const { last, opening } = useLast(action)
  if (!last) return null
  const { kind, member } = last
  const dialog = { ...handlers, member, isOpen: action !== null }
  if (kind === 'role') return <RoleDialog key={opening} {...dialog} />
  if (kind === 'team') return <TeamDialog key={opening} {...dialog} />
  if (kind === 'removal') return <RemovalDialog key={opening} {...dialog} />
  return <LeaveThisDialog isOpen={dialog.isOpen} onClose={dialog.onClose} />
}

function RoleDialog({ member, isOpen, onClose, onDone }: DialogProps) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const list = useRoleList()
  const { id, roles } = useOrganization()
  const isOwn = useSession().user.id === member.userId
  const [chosen, setChosen] = useState<readonly string[]>(listedNames(member.role))
  const before = listedNames(member.role)
  const isSame = chosen.length === before.length && chosen.every((role) => before.includes(role))
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      call('POST /organization/update-member-role', {
        body: { organizationId: id, memberId: member.id, role: chosen.join(',') },
      }),
    onSuccess: async () => {
      await refreshOrganization(id)
      onClose()
      onDone(t('roleChanged', { name: member.user.name, roles: list(chosen.join(',')) }))
    },
  })
  const named = (names: readonly string[]) => roles.filter(({ role }) => names.includes(role))
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('changeRoleOf', { name: member.user.name })}
      actions={
        <>
          <Button onClick={onClose}>{frame('cancel')}</Button>
          <Button variant="primary" isBusy={isPending} disabled={isSame || chosen.length === 0} onClick={() => mutate()}>
            {t('changeRole')}
          </Button>
        </>
      }
    >
      {error ? <ErrorNote error={error} /> : null}
      <RolePicker roles={roles} chosen={chosen} onChange={setChosen} />
      {isSame ? null : (
        <section aria-label={t('changePreview')} className="rounded-control bg-sunken px-3 py-2.5">
          <RoleChange from={named(before)} to={named(chosen)} all={allPermissions(roles, true)} />
        </section>
      )}
      {isOwn && !isSame ? <Note tone="warning">{t('changesOwnRole')}</Note> : null}
    </Dialog>
  )
}

function TeamDialog({ member, isOpen, onClose, onDone }: DialogProps) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const organization = useOrganization()
  const teams = useTeams(organization)
  const before = member.teamId ?? ''
  const [chosen, setChosen] = useState(before)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const body = { organizationId: organization.id, userId: member.userId }
      if (chosen === '') await call('POST /organization/remove-team-member', { body: { ...body, teamId: before } })
      else await call('POST /organization/add-team-member', { body: { ...body, teamId: chosen } })
    },
    onSuccess: async () => {
      await refreshOrganization(organization.id)
      onClose()
      const team = teams.find(({ id }) => id === chosen)
      const { name } = member.user
      onDone(team ? t('movedToTeam', { name, team: team.name }) : t('removedFromTeam', { name }))
    },
  })
  const options = [{ value: '', label: t('noTeam') }, ...teams.map(({ id, name }) => ({ value: id, label: name }))]
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('moveToTeamOf', { name: member.user.name })}
      description={t('moveToTeamText')}
      actions={
        <>
          <Button onClick={onClose}>{frame('cancel')}</Button>
          <Button variant="primary" isBusy={isPending} disabled={chosen === before} onClick={() => mutate()}>
            {chosen === '' && before !== '' ? t('removeFromTeam') : t('moveToTeam')}
          </Button>
        </>
      }
    >
      {error ? <ErrorNote error={error} /> : null}
      <SelectField label={t('team')} value={chosen} options={options} onChange={(event) => setChosen(event.target.value)} />
    </Dialog>
  )
}

function RemovalDialog({ member, isOpen, onClose, onDone, focusAfter }: DialogProps) {
  const t = useMessages(messages)
  const { id, name: organization } = useOrganization()
  const { name, email } = member.user
  const remove = async () => {
    const body = { organizationId: id, memberIdOrEmail: member.id }
    await call('POST /organization/remove-member', { body }).catch((failure: unknown) => {
      // Another member was faster, which is what the user wants.
      if (!hasCode(failure, 'MEMBER_NOT_FOUND')) throw failure
    })
    await refreshOrganization(id)
    onDone(t('memberRemoved', { name }))
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('removeQuestion', { name })}
      confirmLabel={t('removeMember')}
      call={remove}
      focusAfter={focusAfter}
    >
      <p className="wrap-anywhere">{t('removeText', { email, organization })}</p>
    </ConfirmDialog>
  )
}
