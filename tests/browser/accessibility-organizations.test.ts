/** The pages of organizations: accessible, usable at 320 px, translated, and right to left. */
import type { Page } from 'playwright-core'
import { prepareResponse, withChromium } from '../kit/hosted-pages.ts'
import { inspectScreens } from './accessibility.ts'
import { invitationStates } from './invitation-states.ts'
import { ada, loadError, opensDialog, reloading, type States, submitEmpty, withResponse } from './leads.ts'

const { hostedPages } = withChromium({ reusesProfiles: true })

/** Responses that lead to states of the pages of an organization. */
const role = '/organization/get-active-member-role**'
const notAMember = { code: 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION', message: 'You are not a member of this organization' }

/** Reloads the page with another response of a call, until it has this heading. */
const shows = (path: string, status: number, json: unknown, heading: string) =>
  reloading(async (page) => {
    await withResponse(path, status, json)(page)
    await page.getByRole('heading', { name: heading }).waitFor()
  })

const stopped = { code: 'SECOND_FACTOR_REQUIRED', message: 'Second factor required', organizationId: 'x' }
const isStopped = shows(role, 403, stopped, 'Halden Ferry requires a second factor')
const cannotBeOpened = shows(role, 403, notAMember, 'You cannot open this organization')
const asMember = shows(role, 200, { role: 'member' }, 'You cannot open this page')

async function switcher(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Halden Ferry' }).click()
  await page.getByRole('option', { name: 'Halden Ferry' }).waitFor()
}

const emptyList = (path: string, json: unknown, heading: string) => shows(path, 200, json, heading)

const opensMenu = (item?: string) => async (page: Page) => {
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menu').waitFor()
  if (item === undefined) return
  await page.getByRole('menuitem', { name: item }).click()
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor()
}

/** A role that the organization has made, with a name as long as it may be. */
const listsOwnRole = withResponse(
  '/organization/list-roles**',
  200,
  [
    {
      role: 'owner',
      permission: { ac: ['create', 'read', 'update', 'delete'], member: ['update'], team: ['create'] },
      isCreatorRole: true,
      mayGrant: true,
    },
    {
      ...{ id: 'a-role', organizationId: 'x', createdAt: '2026-05-01T10:00:00Z', updatedAt: null },
      ...{
        role: 'auditor'.padEnd(64, '-of-the-harbour'),
        permission: { member: ['update'] },
        isCreatorRole: false,
        mayGrant: true,
      },
    },
  ],
  'Of this organization',
)

const roleDialog = (button: string | RegExp, role: 'dialog' | 'alertdialog' = 'dialog') =>
  reloading(async (page) => {
    await listsOwnRole(page)
    await page.getByRole('button', { name: button }).click()
    await page.getByRole(role).waitFor()
  })

/** Only with two teams one can be removed. */
async function removesTeam(page: Page): Promise<void> {
  const team = { organizationId: 'x', createdAt: '2026-05-01T10:00:00Z', updatedAt: null, memberCount: 2 }
  await withResponse('/organization/list-teams**', 200, [
    { ...team, id: 'one', name: 'Fleet' },
    { ...team, id: 'two', name: 'Harbour' },
  ])(page)
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Remove team' }).click()
  await page.getByRole('alertdialog').waitFor()
}

async function createsTeam(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create team' }).click()
  await page.getByRole('dialog').waitFor()
}

/** Bob is a member too. */
async function changesRole(page: Page): Promise<void> {
  const bob = { id: 'bob', userId: 'bob', organizationId: 'x', role: 'member', teamId: null, createdAt: '2026-05-01T10:00:00Z' }
  const members = [{ ...bob, user: { id: 'bob', name: 'Ada', email: ada.email, image: null } }]
  await withResponse('/organization/list-members**', 200, { members, total: 1, hasMore: false, next: null })(page)
  await opensMenu('Change role')(page)
  await page.getByLabel('Admin').check()
  await page.getByText('May do in addition').waitFor()
}

async function slugIsTaken(page: Page): Promise<void> {
  prepareResponse('/organization/check-slug', { code: 'SLUG_IS_TAKEN', message: 'slug is taken' }, 400)
  await page.getByLabel('Slug').fill('taken')
  await page.getByText('Another organization has the slug taken.').waitFor()
}

async function limitReached(page: Page): Promise<void> {
  const error = { code: 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS', message: 'Too many' }
  prepareResponse('/organization/create', error, 403)
  await page.getByLabel('Name').fill('Halden')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByText('You have as many organizations as you may have.').waitFor()
}

/** Bob left and came back; Ada removed a user who has since been deleted. */
async function formerMembers(page: Page): Promise<void> {
  const common = { organizationId: 'x', createdAt: '2026-05-01T10:00:00Z', details: {} }
  const events = [
    {
      ...common,
      id: 'a',
      action: 'member.left',
      actor: { kind: 'user', name: 'Bob' },
      target: { type: 'user', id: 'bob', name: 'Bob' },
    },
    {
      ...common,
      id: 'b',
      action: 'member.removed',
      actor: { kind: 'user', name: ada.name },
      target: { type: 'user', id: 'c', name: null },
    },
  ]
  const bob = { id: 'bob', userId: 'bob', organizationId: 'x', role: 'member', teamId: null, createdAt: '2026-05-01T10:00:00Z' }
  const members = [{ ...bob, user: { id: 'bob', name: 'Bob', email: ada.email, image: null } }]
  prepareResponse('/organization/list-members**', { members, total: 1, hasMore: false, next: null })
  prepareResponse('/organization/list-events**', { events, nextCursor: null, previousCursor: null })
  await page.getByRole('link', { name: 'Former members' }).click()
  await page.getByText('Member again').waitFor()
}

/** The policy of second factors, with a member who lacks one. */
const policy = (days: string) => async (page: Page) => {
  await page.getByText('1 member has no second factor.').waitFor()
  await page.getByLabel('Second factor of members').selectOption(days)
}

async function withoutOwnFactor(page: Page): Promise<void> {
  await policy('0')(page)
  await page.getByRole('button', { name: 'Save policy' }).click()
  await page.getByText('You need a second factor yourself to require one.').waitFor()
}

const organizationStates: States = {
  '/organizations/create': { 'form errors': submitEmpty, 'slug is taken': slugIsTaken, 'limit reached': limitReached },
  '/organizations/$organizationId': {
    'cannot be opened': cannotBeOpened,
    'needs a second factor': isStopped,
    'load error': loadError(role),
    'activity cannot be loaded': loadError('/organization/list-events**'),
    switcher,
  },
  '/organizations/$organizationId/members': {
    'load error': loadError('/organization/list-members**'),
    'no results': emptyList(
      '/organization/list-members**',
      { members: [], total: 0, hasMore: false, next: null },
      'No member matches',
    ),
    menu: opensMenu(),
    'former members': formerMembers,
    'role dialog': changesRole,
    'team dialog': opensMenu('Change teams'),
  },
  '/organizations/$organizationId/teams': {
    'load error': loadError('/organization/list-teams**'),
    empty: emptyList('/organization/list-teams**', [], 'No teams yet'),
    menu: opensMenu(),
    'members dialog': opensMenu('Edit members'),
    'name dialog': opensMenu('Rename team'),
    'creation dialog': createsTeam,
    confirmation: reloading(removesTeam),
  },
  '/organizations/$organizationId/roles': {
    'roles of the organization': listsOwnRole,
    'creation dialog': roleDialog('Create role'),
    'edit dialog': roleDialog(/^Edit the role/),
    confirmation: roleDialog(/^Delete the role/, 'alertdialog'),
    'load error': loadError('/organization/list-roles**'),
  },
  '/organizations/$organizationId/activity': {
    'load error': loadError('/organization/list-events**'),
    empty: emptyList('/organization/list-events**', { events: [], nextCursor: null, previousCursor: null }, 'No activity'),
    'not permitted': asMember,
  },
  '/organizations/$organizationId/api-keys': {
    'not permitted': shows(role, 200, { role: 'member' }, 'You may not see the API keys'),
  },
  '/organizations/$organizationId/settings': {
    'not permitted': asMember,
    'slug is taken': slugIsTaken,
    confirmation: opensDialog('Delete organization'),
    'policy without grace': policy('0'),
    'policy with grace': policy('14'),
    'policy without own factor': withoutOwnFactor,
  },
}

inspectScreens('organizations', hostedPages, {
  states: [organizationStates, invitationStates],
  searches: { '/accept-invitation': ['?id=unknown'] },
})
