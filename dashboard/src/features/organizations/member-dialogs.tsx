/** Dialogs for a member: another role, other teams, removal, and leaving the organization. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { listedNames } from '../../../../src/lib/text.ts'
import { hasCode } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog, Dialog, type DialogHandlers, useLast } from '../../components/dialog.tsx'
import { ErrorNote, Note } from '../../components/feedback.tsx'
import { Checkbox } from '../../components/field.tsx'
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

function useTeamForm({ member, onClose, onDone }: DialogProps) {
  const t = useMessages(messages)
  const { id: organizationId } = useOrganization()
  const teams = useTeams(useOrganization())
  const before = member.teamIds ?? []
  const [chosen, setChosen] = useState<readonly string[]>(before)
  const toggle = (id: string) => setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  const save = useMutation({
    mutationFn: async () => {
      const body = { organizationId, userId: member.userId }
      // First the new ones: a failure at a limit then takes none away.
      for (const teamId of chosen)
        if (!before.includes(teamId)) await call('POST /organization/add-team-member', { body: { ...body, teamId } })
      for (const teamId of before)
        if (!chosen.includes(teamId)) await call('POST /organization/remove-team-member', { body: { ...body, teamId } })
    },
    onSettled: () => refreshOrganization(organizationId),
    onSuccess: () => {
      onClose()
      const { name } = member.user
      const names = teams.filter(({ id }) => chosen.includes(id)).map((team) => team.name)
      onDone(names.length > 0 ? t('teamsChanged', { name, teams: names.join(', ') }) : t('removedFromTeam', { name }))
    },
  })
  const isSame = chosen.length === before.length && chosen.every((id) => before.includes(id))
  return { teams, chosen, toggle, isSame, save }
}

function TeamDialog(props: DialogProps) {
  const { member, isOpen, onClose } = props
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { teams, chosen, toggle, isSame, save } = useTeamForm(props)
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('teamsOf', { name: member.user.name })}
      description={t('severalTeams')}
      actions={
        <>
          <Button onClick={onClose}>{frame('cancel')}</Button>
          <Button variant="primary" isBusy={save.isPending} disabled={isSame} onClick={() => save.mutate()}>
            {t('changeTeams')}
          </Button>
        </>
      }
    >
      {save.error ? <ErrorNote error={save.error} /> : null}
      <fieldset className="min-w-0">
        <legend className="sr-only">{t('teams')}</legend>
        {teams.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={<bdi className="wrap-anywhere">{name}</bdi>}
            checked={chosen.includes(id)}
            onChange={() => toggle(id)}
          />
        ))}
      </fieldset>
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
