/** Dialogs for a team: its name, its members, and its removal. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { hasCode } from '../../api/calls.ts'
import { Avatar } from '../../components/avatar.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog, Dialog, type DialogHandlers, useLast } from '../../components/dialog.tsx'
import { ErrorNote, LoadError, Skeleton } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { SearchField } from '../../components/table.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { refreshOrganization, useOrganization } from '../../session/organizations.ts'
import { call } from '../../session/session.ts'
import { type Member, membersQuery, type Team, useTeams } from './data.ts'
import { messages } from './messages.ts'

export type TeamAction = { readonly kind: 'creation' } | { readonly kind: 'name' | 'members' | 'removal'; readonly team: Team }

interface DialogProps extends DialogHandlers {
  readonly isOpen: boolean
}

export function TeamDialogs({ action, ...handlers }: DialogHandlers & { readonly action: TeamAction | null }) {
  const { last, opening } = useLast(action)
  if (!last) return null
  const dialog = { ...handlers, isOpen: action !== null }
  if (last.kind === 'creation') return <NameDialog key={opening} {...dialog} />
  if (last.kind === 'name') return <NameDialog key={opening} {...dialog} team={last.team} />
  if (last.kind === 'members') return <MembersDialog key={opening} {...dialog} team={last.team} />
  return <RemovalDialog key={opening} {...dialog} team={last.team} />
}

const schema = () => import('./schemas.ts').then(({ teamNameOnly }) => teamNameOnly)

/** Without a team: of a new one. */
function NameDialog({ isOpen, onClose, onDone, team }: DialogProps & { readonly team?: Team }) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { id } = useOrganization()
  const state = useApiForm({
    schema,
    defaults: { name: team?.name ?? '' },
    submit: async ({ name }) => {
      if (team) await call('POST /organization/update-team', { body: { teamId: team.id, data: { name, organizationId: id } } })
      else await call('POST /organization/create-team', { body: { name, organizationId: id } })
      await refreshOrganization(id)
      onClose()
      onDone(team ? t('teamRenamed', { name }) : t('teamWasCreated', { name }))
    },
  })
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={team ? t('renameTeamNamed', { name: team.name }) : t('createTeam')}>
      <Form
        state={state}
        submitLabel={team ? t('renameTeam') : t('createTeam')}
        actions={<Button onClick={onClose}>{frame('cancel')}</Button>}
      >
        <TextField label={t('name')} autoComplete="off" dir="auto" maxLength={255} {...state.field('name')} />
      </Form>
    </Dialog>
  )
}

function RemovalDialog({ isOpen, onClose, onDone, focusAfter, team }: DialogProps & { readonly team: Team }) {
  const t = useMessages(messages)
  const { id } = useOrganization()
  const { name } = team
  const remove = async () => {
    await call('POST /organization/remove-team', { body: { teamId: team.id, organizationId: id } }).catch((failure: unknown) => {
      // Another member was faster, which is what the user wants.
      if (!hasCode(failure, 'TEAM_NOT_FOUND')) throw failure
    })
    await refreshOrganization(id)
    onDone(t('teamRemoved', { name }))
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('removeTeamQuestion', { name })}
      confirmLabel={t('removeTeam')}
      call={remove}
      focusAfter={focusAfter}
    >
      <p>{t('removeTeamText')}</p>
    </ConfirmDialog>
  )
}

/** How many members a dialog shows; the search finds the others. */
const mostShown = 8

function MembersDialog({ isOpen, onClose, team }: DialogProps & { readonly team: Team }) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const { id } = useOrganization()
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim()) || undefined
  // Those of the team first, until the user searches.
  const { data, error, refetch } = useQuery(
    membersQuery(id, { search, limit: mostShown, ...(search === undefined && { teamId: team.id }) }),
  )
  const numbers = data && { shown: format.number(data.members.length), total: format.number(data.total) }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('membersOfTeam', { name: team.name })}
      description={t('membersOfTeamText')}
      actions={<Button onClick={onClose}>{t('close')}</Button>}
    >
      <div className="flex">
        <SearchField label={t('searchMembers')} placeholder={t('searchMembersHint')} value={text} onSearch={setText} />
      </div>
      {data ? (
        <>
          <ul aria-label={t('members')} className="divide-y divide-border text-13">
            {data.members.map((member) => (
              <TeamMemberLine key={member.id} member={member} team={team} />
            ))}
          </ul>
          <p role="status" className="text-13 text-muted">
            {data.total === 0
              ? search === undefined
                ? t('emptyTeam')
                : t('noMemberFound')
              : data.hasMore && numbers
                ? t('someMembers', numbers)
                : ''}
          </p>
        </>
      ) : error ? (
        <LoadError error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton />
      )}
    </Dialog>
  )
}

function TeamMemberLine({ member, team }: { readonly member: Member; readonly team: Team }) {
  const t = useMessages(messages)
  const organization = useOrganization()
  const others = useTeams(organization).filter(({ id }) => id !== team.id && member.teamIds?.includes(id))
  const other = others.map((one) => one.name).join(', ')
  const isInside = member.teamIds?.includes(team.id) ?? false
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const body = { organizationId: organization.id, teamId: team.id, userId: member.userId }
      if (isInside) await call('POST /organization/remove-team-member', { body })
      else await call('POST /organization/add-team-member', { body })
    },
    onSuccess: () => refreshOrganization(organization.id),
  })
  const { name, email } = member.user
  return (
    <li className="py-2">
      <div className="flex items-center gap-3">
        <Avatar name={name} />
        <div className="min-w-0 grow wrap-anywhere">
          <div className="font-medium">{name}</div>
          <div className="text-12 text-muted">{other ? t('inOtherTeam', { email, team: other }) : email}</div>
        </div>
        <Button
          isBusy={isPending}
          aria-label={isInside ? t('removeNamed', { name }) : t('addNamed', { name })}
          onClick={() => mutate()}
        >
          {isInside ? t('remove') : t('add')}
        </Button>
      </div>
      {error ? <ErrorNote error={error} /> : null}
    </li>
  )
}
