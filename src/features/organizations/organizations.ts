/** Creates, changes and deletes organizations, for calls and for commands. */
import type { App } from '../../core/app.ts'
import { ApiError, errors as kernelErrors, parameterError } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { countRows } from '../../core/statement.ts'
import { afterCommit, transaction } from '../../core/transaction.ts'
import { createId } from '../../core/write.ts'
import { recordEvent } from '../audit/index.ts'
import { lockUser, sortNameOf, userRecord } from '../users/index.ts'
import { organizationEvent } from './events.ts'
import {
  errors,
  type MemberRow,
  memberRecord,
  newMemberColumns,
  type OrganizationRow,
  organizationRecord,
  type TeamRow,
} from './model.ts'
import { deleteWithRows, isLarge, markDeleted } from './organization-deletion.ts'
import { newSlug } from './schemas.ts'
import { clearActiveOrganization, findOrganization, findOrganizationBySlug, lockOrganization, unlessDeleted } from './store.ts'
import { joinTeam } from './team-members.ts'

export interface NewOrganization {
  readonly name: string
  readonly slug: string
  readonly logo?: string | null
  readonly metadata?: Readonly<Record<string, unknown>> | null
}

export interface CreatedOrganization {
  readonly organization: OrganizationRow
  readonly member: MemberRow
}

/**
 * Whether a user may create another organization (contract 04 §2, create, 3 and 4). The number is checked again in the transaction.
 * @throws ApiError YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION, YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS
 */
export async function checkMayCreate(app: App, user: UserRow): Promise<void> {
  const { allowUserToCreateOrganization: allowed, organizationCreation } = app.config.organization
  const isAllowed = typeof allowed === 'function' ? await allowed(userRecord(user)) : allowed
  if (!isAllowed || organizationCreation.disabled) throw new ApiError(errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION)
  await checkOrganizationLimit(app, user)
}

/** The limit also applies to what an operator creates. @throws ApiError YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS */
export async function checkOrganizationLimit(app: App, user: UserRow): Promise<void> {
  const { organizationLimit } = app.config.organization
  const isReached =
    typeof organizationLimit === 'function'
      ? await organizationLimit(userRecord(user))
      : organizationLimit !== undefined && (await countMemberships(app, user.id)) >= organizationLimit
  if (isReached) throw new ApiError(errors.YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS)
}

const countMemberships = (app: App, userId: string): Promise<number> =>
  countRows(app.db.selectFrom('member').where('userId', '=', userId))

/**
 * Creates an organization with its creator as the first member, and its default team.
 * @param limit organizations that the creator may be a member of; undefined: no limit
 * @throws ApiError ORGANIZATION_ALREADY_EXISTS, YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS, UNAUTHORIZED when the creator is
 * deleted at the same time; errors of `beforeCreate`
 */
export async function createOrganization(
  app: App,
  creator: UserRow,
  given: NewOrganization,
  limit?: number,
): Promise<CreatedOrganization> {
  const slug = readSlug(given.slug, 'slug')
  if (await findOrganizationBySlug(app, slug)) throw new ApiError(errors.ORGANIZATION_ALREADY_EXISTS)
  const organization = await draftOf(app, creator, { ...given, slug })
  const team = await defaultTeamOf(app, organization)
  const member: MemberRow = {
    id: createId(app, 'member'),
    organizationId: organization.id,
    userId: creator.id,
    role: app.config.organization.creatorRole,
    teamId: team?.id ?? null,
    createdAt: organization.createdAt,
    ...newMemberColumns,
  }
  try {
    await unlessDeleted(app, creator, async (tx) => {
      if (limit !== undefined) await checkLimit(tx, creator.id, limit)
      await tx.db.insertInto('organization').values(organization).execute()
      if (team) await tx.db.insertInto('team').values(team).execute()
      await tx.db
        .insertInto('member')
        .values({ ...member, teamId: null })
        .execute()
      if (team) await joinTeam(tx, member, team.id)
      await recordEvent(tx, organizationEvent('organization.created', organization))
      await afterCommit(tx, () => afterCreate(app, creator, { organization, member }), {
        hook: 'organizationCreation.afterCreate',
      })
    })
  } catch (error) {
    if (app.database.isUniqueViolation(error)) throw new ApiError(errors.ORGANIZATION_ALREADY_EXISTS, { cause: error })
    throw error
  }
  return { organization, member }
}

/** @throws ApiError VALIDATION_ERROR when no new organization may have this slug */
function readSlug(slug: string, parameter: string): string {
  const { data } = newSlug.safeParse(slug)
  if (data === undefined) throw parameterError(kernelErrors.VALIDATION_ERROR, [parameter])
  return data
}

async function draftOf(app: App, creator: UserRow, given: NewOrganization): Promise<OrganizationRow> {
  const { beforeCreate } = app.config.organization.organizationCreation
  const { name, slug, logo = null, metadata = null } = given
  const draft = { id: createId(app, 'organization'), name, slug, logo, metadata }
  const hooked = await beforeCreate?.({ organization: draft, user: userRecord(creator) })
  const { metadata: data, ...columns } = { ...draft, ...hooked?.data, id: draft.id }
  return {
    ...columns,
    sortName: sortNameOf(columns.name),
    metadata: data && JSON.stringify(data),
    createdAt: app.now(),
    memberCount: 1,
    revision: 0,
    deletedAt: null,
    twoFactorRequired: false,
    twoFactorGraceDays: null,
    twoFactorRequiredAt: null,
    twoFactorShowAdministrators: false,
  }
}

async function defaultTeamOf(app: App, organization: OrganizationRow): Promise<TeamRow | null> {
  const { enabled, defaultTeam } = app.config.organization.teams
  if (!enabled || !defaultTeam.enabled) return null
  const { customCreateDefaultTeam: custom } = defaultTeam
  const { name } = custom ? await custom(organizationRecord(organization)) : organization
  return { id: createId(app, 'team'), name, organizationId: organization.id, createdAt: organization.createdAt, updatedAt: null }
}

async function afterCreate(app: App, creator: UserRow, { organization, member }: CreatedOrganization): Promise<void> {
  const { afterCreate } = app.config.organization.organizationCreation
  await afterCreate?.({ organization: organizationRecord(organization), user: userRecord(creator), member: memberRecord(member) })
}

/** The lock makes concurrent creations of one user wait for each other. */
async function checkLimit(tx: App, userId: string, limit: number): Promise<void> {
  await lockUser(tx, userId)
  if ((await countMemberships(tx, userId)) >= limit)
    throw new ApiError(errors.YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS)
}

export interface OrganizationChanges {
  readonly name?: string | undefined
  readonly slug?: string | undefined
  readonly logo?: string | null | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined
}

/**
 * A slug that is stored already stays as it is, whatever its form.
 * @throws ApiError ORGANIZATION_ALREADY_EXISTS when another organization has the slug; ORGANIZATION_NOT_FOUND; VALIDATION_ERROR for a
 * slug that no new organization may have
 */
export async function updateOrganization(app: App, id: string, given: OrganizationChanges): Promise<OrganizationRow> {
  const isNew = given.slug !== undefined && given.slug !== (await findOrganization(app, id))?.slug
  return writeOrganization(app, id, { ...given, ...(isNew && { slug: readSlug(given.slug ?? '', 'data.slug') }) })
}

async function writeOrganization(app: App, id: string, changes: OrganizationChanges): Promise<OrganizationRow> {
  const { metadata, ...others } = changes
  const sortName = others.name === undefined ? undefined : sortNameOf(others.name)
  const given = Object.entries({
    ...others,
    sortName,
    ...(metadata !== undefined && { metadata: metadata && JSON.stringify(metadata) }),
  })
  const columns = Object.fromEntries(given.filter(([, value]) => value !== undefined))
  try {
    return await transaction(app, async (tx) => {
      if (Object.keys(columns).length > 0 && (await lockOrganization(tx, id))) {
        await tx.db.updateTable('organization').set(columns).where('id', '=', id).execute()
        const event = { target: { type: 'organization', id }, organizationId: id, details: changedDetails(changes) }
        await recordEvent(tx, { action: 'organization.updated', ...event })
      }
      const organization = await findOrganization(tx, id)
      if (!organization) throw new ApiError(errors.ORGANIZATION_NOT_FOUND)
      return organization
    })
  } catch (error) {
    if (app.database.isUniqueViolation(error)) throw new ApiError(errors.ORGANIZATION_ALREADY_EXISTS, { cause: error })
    throw error
  }
}

const changedDetails = ({ name, slug, ...others }: OrganizationChanges) => ({
  ...(name !== undefined && { name }),
  ...(slug !== undefined && { slug }),
  fields: Object.entries({ name, slug, ...others }).flatMap(([field, value]) => (value === undefined ? [] : [field])),
})

/**
 * Deletes an organization with its members, invitations and teams, and clears it in all sessions. Of a large one the rows are deleted
 * after the response: no call finds it from now on.
 * @param user who deletes it; null: the operator, for whom no hook is called
 * @throws ApiError ORGANIZATION_NOT_FOUND; errors of `beforeDelete`
 */
export async function deleteOrganization(app: App, organization: OrganizationRow, user: UserRow | null): Promise<void> {
  const { beforeDelete, afterDelete } = app.config.organization.organizationDeletion
  const hookData = user && { organization: organizationRecord(organization), user: userRecord(user) }
  if (hookData) await beforeDelete?.(hookData)
  await transaction(app, async (tx) => {
    if (!(await lockOrganization(tx, organization.id))) throw new ApiError(errors.ORGANIZATION_NOT_FOUND)
    await recordEvent(tx, organizationEvent('organization.deleted', organization))
    if (hookData) await afterCommit(tx, async () => afterDelete?.(hookData), { hook: 'organizationDeletion.afterDelete' })
    if (await isLarge(tx, organization.id)) return markDeleted(tx, organization.id)
    await clearActiveOrganization(tx, organization.id, null)
    await deleteWithRows(tx, [organization.id])
  })
}
