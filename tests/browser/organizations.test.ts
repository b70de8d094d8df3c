/** The pages of an organization: journeys in two browsers, and what its members may see and do. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { addMember } from '../../src/features/organizations/members.ts'
import { withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
const bob = { name: 'Bob', email: 'bob@example.com', password: 'correct horse battery' }

type Actions = Readonly<Record<string, string[]>>
type Roles = {
  readonly ac?: Actions
  readonly roles?: Readonly<Record<string, Actions>>
  readonly dynamicAccessControl?: boolean
}

/** Ada owns an organization, whose member Bob may be. */
async function withOrganization(config: ConfigFile = {}, roleOfBob: string | null = 'member', roles: Roles = {}) {
  const pages = await hostedPages({ ...config, organization: { teams: { enabled: true }, ...roles } })
  const { kit, origin } = pages
  const browser = kit.browser()
  await browser.call('POST /sign-up/email', { body: ada })
  const { body: organization } = await browser.call(
    'POST /organization/create',
    { body: { name: 'Halden Ferry', slug: 'halden' } },
    { origin },
  )
  await kit.browser().call('POST /sign-up/email', { body: bob })
  const userId = async ({ email }: { readonly email: string }) =>
    (await kit.app.db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id
  const add = async (role: string, user = bob) =>
    addMember(kit.app, { organizationId: organization.id, userId: await userId(user), role })
  if (roleOfBob !== null) await add(roleOfBob)
  await kit.app.db.deleteFrom('session').execute()
  const base = `/organizations/${organization.id}`
  const activeOrganizations = async () =>
    (await kit.app.db.selectFrom('session').select('activeOrganizationId').execute()).map((row) => row.activeOrganizationId)
  return { ...pages, add, base, organization, browser, activeOrganizations, userId }
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const note = (page: Page, text: string | RegExp) => page.getByRole('main').getByRole('status').filter({ hasText: text })
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Organization' })

async function chooseAction(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

describe('journeys', () => {
  test('creates an organization with a slug that is suggested and checked', async () => {
    const { openAs, base, activeOrganizations } = await withOrganization()
    const page = await openAs(bob, '/organizations/create')
    await page.getByLabel('Name').fill('Halden')
    await page.getByText('Another organization has the slug halden.').waitFor()
    await page.getByLabel('Name').fill('Bäckerei Öst & Söhne')
    await page.getByText('backerei-ost-sohne is available.').waitFor()
    await page.getByRole('button', { name: 'Create organization' }).click()
    await heading(page, 'Bäckerei Öst & Söhne').waitFor()
    await page.getByText('Active organization').waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    expect(base).not.toContain(id)
    expect(await activeOrganizations()).toEqual([id])
    await page.getByRole('combobox', { name: 'Bäckerei Öst & Söhne' }).waitFor()
  })

  test('changes a role, which the other browser sees immediately', async () => {
    const { openAs, base } = await withOrganization()
    const page = await openAs(ada, `${base}/members`)
    const other = await openAs(bob, base)
    await navigation(other).waitFor()
    expect(await other.getByRole('link', { name: 'Activity' }).count()).toBe(0)
    await chooseAction(page, 'Bob', 'Change role')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Admin').check()
    await dialog.getByText('May do in addition').waitFor()
    await dialog.getByText('Remove members').first().waitFor()
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await note(page, 'Bob now has this role: Admin.').waitFor()
    await page.getByRole('row').filter({ hasText: 'bob@example.com' }).getByText('Admin').waitFor()
    await navigation(other).getByRole('link', { name: 'Members' }).click()
    await other.getByRole('link', { name: 'Activity' }).click()
    await other.getByText('Ada changed the role of Bob from Member to Admin.').waitFor()
  })

  test('creates, renames, fills and removes teams', async () => {
    const { openAs, base } = await withOrganization()
    const page = await openAs(ada, `${base}/teams`)
    await page.getByRole('button', { name: 'Create team' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Fleet')
    await page.keyboard.press('Enter')
    await note(page, 'The team Fleet was created.').waitFor()
    await chooseAction(page, 'Fleet', 'Edit members')
    await page.getByText('This team has no members yet.').waitFor()
    await page.getByLabel('Search members').fill('bo')
    await page.getByRole('button', { name: 'Add Bob' }).click()
    await page.getByRole('button', { name: 'Remove Bob' }).waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('link', { name: 'Show members: Fleet 1' }).click()
    await page.getByRole('row').filter({ hasText: 'bob@example.com' }).waitFor()
    expect(await page.getByRole('row').filter({ hasText: 'ada@example.com' }).count()).toBe(0)
    await page.goBack()
    await chooseAction(page, 'Fleet', 'Rename team')
    await page.getByRole('dialog').getByLabel('Name').fill('Ships')
    await page.keyboard.press('Enter')
    await note(page, 'The team is now called Ships.').waitFor()
    await chooseAction(page, 'Ships', 'Remove team')
    await page.getByRole('alertdialog', { name: 'Remove the team Ships?' }).getByRole('button', { name: 'Remove team' }).click()
    await note(page, 'The team Ships was removed.').waitFor()
    await page.getByRole('button', { name: 'Actions for Halden Ferry' }).click()
    await page.getByRole('menuitem', { name: 'Remove team' }).getByText('This is your only team.').waitFor()
  })

  test('removes a member, whose browser then says that the organization cannot be opened', async () => {
    const { openAs, base } = await withOrganization()
    const other = await openAs(bob, base)
    await heading(other, 'Halden Ferry').waitFor()
    const page = await openAs(ada, `${base}/members`)
    await chooseAction(page, 'Bob', 'Remove member')
    await page.getByRole('alertdialog', { name: 'Remove Bob?' }).getByRole('button', { name: 'Remove member' }).click()
    await note(page, 'Bob was removed.').waitFor()
    expect(await page.getByRole('row').filter({ hasText: 'bob@example.com' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Former members' }).click()
    await page.getByRole('row').filter({ hasText: 'Bob' }).getByText('Removed by Ada').waitFor()
    await navigation(other).getByRole('link', { name: 'Members' }).click()
    await heading(other, 'You cannot open this organization').waitFor()
  })

  test('leaves an organization', async () => {
    const { openAs, base } = await withOrganization()
    const page = await openAs(bob, base)
    await page.getByRole('button', { name: 'Leave organization' }).click()
    await page
      .getByRole('alertdialog', { name: 'Leave Halden Ferry?' })
      .getByRole('button', { name: 'Leave organization' })
      .click()
    await heading(page, 'Organizations').waitFor()
    await page.getByText('You left Halden Ferry.').first().waitFor()
    await page.goto(new URL(base, page.url()).href)
    await heading(page, 'You cannot open this organization').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'All organizations' }).click()
    await heading(page, 'Organizations').waitFor()
  })

  test('keeps the last owner, and says why', async () => {
    const { openAs, base } = await withOrganization({}, 'admin')
    const page = await openAs(ada, `${base}/settings`)
    await page.getByText('You are the last owner, so you cannot leave.').waitFor()
    const leave = page.getByRole('main').getByRole('button', { name: 'Leave organization' })
    expect(await leave.getAttribute('aria-disabled')).toBe('true')
    await navigation(page).getByRole('link', { name: 'Members' }).click()
    await page.getByRole('button', { name: 'Actions for Ada' }).click()
    const change = page.getByRole('menuitem', { name: 'Change role' })
    await change.getByText('The last owner stays.').waitFor()
    expect(await change.getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Escape')
    await chooseAction(page, 'Bob', 'Change role')
    await page.getByRole('dialog').getByLabel('Owner').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
    await note(page, 'Bob now has this role: Owner.').waitFor()
    await chooseAction(page, 'Ada', 'Leave organization')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave organization' }).click()
    await heading(page, 'Organizations').waitFor()
  })

  test('deletes an organization after its slug was typed', async () => {
    const { openAs, base, kit } = await withOrganization()
    const page = await openAs(ada, `${base}/settings`)
    await page.getByRole('button', { name: 'Delete organization' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete Halden Ferry?' })
    await dialog.getByText('2 members lose access immediately.').waitFor()
    const confirm = dialog.getByRole('button', { name: 'Delete organization' })
    expect(await confirm.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByLabel('Type halden to confirm').fill('halden')
    await confirm.click()
    await heading(page, 'Organizations').waitFor()
    await page.getByText('Halden Ferry was deleted.').first().waitFor()
    expect(await kit.app.db.selectFrom('organization').select('id').execute()).toEqual([])
  })
})

describe('what members may see', () => {
  test('a member sees no actions, and a page that says what the role does not permit', async () => {
    const { openAs, base } = await withOrganization()
    const page = await openAs(bob, `${base}/members`)
    await page.getByRole('row').filter({ hasText: 'ada@example.com' }).waitFor()
    expect(await page.getByRole('button', { name: 'Actions for Ada' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Invite members' }).count()).toBe(0)
    expect(await page.getByText(/Last sign-in|Former members|Export members/).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0)
    await page.goto(new URL(`${base}/settings`, page.url()).href)
    await heading(page, 'You cannot open this page: Settings').waitFor()
    await page.goto(new URL(`${base}/activity`, page.url()).href)
    await page.getByText('Your role (Member) does not permit it.').waitFor()
  })

  test('an admin cannot give a role that permits more, nor change an owner', async () => {
    const { openAs, base } = await withOrganization({}, 'admin')
    const page = await openAs(bob, `${base}/members`)
    await chooseAction(page, 'Bob', 'Change role')
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Owner').isDisabled()).toBe(true)
    await dialog.getByText('It permits more than your role').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Actions for Ada' }).click()
    await page.getByRole('menuitem', { name: 'Change teams' }).waitFor()
    expect(await page.getByRole('menuitem').count()).toBe(1)
  })

  test('roles of the configuration appear with what they permit', async () => {
    const roles = { owner: { organization: ['update'] }, billing: { invoice: ['read'] } }
    const { openAs, base } = await withOrganization({}, 'billing', { ac: { invoice: ['read'] }, roles })
    const page = await openAs(bob, `${base}/roles`)
    const row = page.getByRole('row').filter({ hasText: 'invoice: read' })
    await row.waitFor()
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['Not allowed', 'Allowed'])
  })
})

test('makes a role, gives it to a member, and deletes it when no member has it', async () => {
  const { openAs, base } = await withOrganization({}, 'member', { dynamicAccessControl: true })
  const page = await openAs(ada, `${base}/roles`)
  await page.getByRole('button', { name: 'Create role' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Auditor')
  await dialog.getByLabel('Change the settings and see the activity').check()
  await dialog.getByRole('button', { name: 'Create role' }).click()
  await note(page, 'The role auditor was created.').waitFor()
  await page.getByRole('button', { name: 'Edit the role auditor' }).click()
  await dialog.getByLabel('Send invitations').check()
  await dialog.getByRole('button', { name: 'Save role' }).click()
  await note(page, 'The role auditor was changed.').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'Send invitations' })
  expect(await row.getByRole('cell').allInnerTexts()).toEqual(['Allowed', 'Allowed', 'Not allowed', 'Allowed'])
  await navigation(page).getByRole('link', { name: 'Members' }).click()
  await chooseAction(page, 'Bob', 'Change role')
  await dialog.getByLabel('auditor').check()
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await note(page, 'Bob now has this role: auditor.').waitFor()
  await chooseAction(page, 'Bob', 'Change teams')
  await dialog.getByLabel('Halden Ferry').check()
  await dialog.getByRole('button', { name: 'Change teams' }).click()
  await note(page, 'Bob is now in these teams: Halden Ferry.').waitFor()
  await navigation(page).getByRole('link', { name: 'Roles' }).click()
  const remove = page.getByRole('button', { name: 'Delete the role auditor?' })
  await remove.click()
  const question = page.getByRole('alertdialog', { name: 'Delete the role auditor?' })
  await question.getByRole('button', { name: 'Delete' }).click()
  await question.getByText('Members have this role, or invitations give it.').waitFor()
  await page.keyboard.press('Escape')
  await navigation(page).getByRole('link', { name: 'Members' }).click()
  await chooseAction(page, 'Bob', 'Change role')
  await dialog.getByLabel('Member').check()
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await note(page, 'Bob now has this role: Member.').waitFor()
  await navigation(page).getByRole('link', { name: 'Roles' }).click()
  await remove.click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await note(page, 'The role auditor was deleted.').waitFor()
})

test('exports the members that match as a file for spreadsheets', async () => {
  const { openAs, base } = await withOrganization()
  const page = await openAs(ada, `${base}/members?role=member`)
  await page.getByRole('button', { name: 'Export members' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toEqual([
    expect.stringMatching(/name,email,role.*,lastSignInAt$/),
    expect.stringContaining(',Bob,bob@example.com,member,'),
  ])
})

test('the command palette invites to the organization that is open', async () => {
  const { openAs, base } = await withOrganization()
  const page = await openAs(ada, base)
  await heading(page, 'Halden Ferry').waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('invite')
  await page.getByRole('option', { name: 'Invite members to Halden Ferry' }).click()
  await page.getByRole('dialog', { name: /Invite/ }).waitFor()
})

test('a role that is chosen stays while the user signs in again', async () => {
  const { openAs, base, kit } = await withOrganization()
  const page = await openAs(ada, `${base}/members`)
  await chooseAction(page, 'Bob', 'Change role')
  await page.getByRole('dialog').getByLabel('Admin').check()
  await kit.app.db.deleteFrom('session').execute()
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
  const signIn = page.getByRole('dialog', { name: 'Sign in again to continue' })
  await signIn.getByLabel('Password', { exact: true }).fill(ada.password)
  await signIn.getByRole('button', { name: 'Continue' }).click()
  await note(page, 'Bob now has this role: Admin.').waitFor()
})

test('opening an organization by its address does not make it the active one', async () => {
  const { openAs, base, activeOrganizations, organization } = await withOrganization()
  const page = await openAs(ada, base)
  await page.getByText('This one is not active.').waitFor()
  expect(await activeOrganizations()).toEqual([null])
  await page.getByRole('button', { name: 'Make active' }).click()
  await note(page, 'Halden Ferry is now your active organization.').waitFor()
  expect(await activeOrganizations()).toEqual([organization.id])
})

test('an organization of others and one that does not exist look the same', async () => {
  const { openAs, base } = await withOrganization({}, null)
  const page = await openAs(bob, base)
  await heading(page, 'You cannot open this organization').waitFor()
  const text = await page.getByRole('main').innerText()
  await page.goto(new URL('/organizations/unknown', page.url()).href)
  await heading(page, 'You cannot open this organization').waitFor()
  expect(await page.getByRole('main').innerText()).toBe(text)
})

test('settings change the name and the metadata', async () => {
  const { openAs, base, kit } = await withOrganization()
  const page = await openAs(ada, `${base}/settings`)
  await page.getByLabel('Name').fill('Halden Lines')
  await page.getByLabel('Slug').fill('halden-lines')
  await page.getByText('Links of apps that contain the former slug stop working.').waitFor()
  await page.getByRole('button', { name: 'Save settings' }).click()
  await note(page, 'The settings were saved.').waitFor()
  await page.getByRole('combobox', { name: 'Halden Lines' }).waitFor()
  await page.getByLabel('Metadata as a JSON object').fill('[1]')
  await page.getByRole('button', { name: 'Save metadata' }).click()
  await page.getByText('Enter a JSON object').waitFor()
  await page.getByLabel('Metadata as a JSON object').fill('{"plan":"pro"}')
  const change = page.getByRole('status').getByRole('listitem')
  expect(await change.allInnerTexts()).toEqual([expect.stringMatching(/^Added plan\s+\+\s+After:\s+pro$/)])
  await page.getByRole('button', { name: 'Save metadata' }).click()
  await note(page, 'The metadata was saved.').waitFor()
  const row = await kit.app.db.selectFrom('organization').select(['name', 'slug', 'metadata']).executeTakeFirst()
  expect(row).toEqual({ name: 'Halden Lines', slug: 'halden-lines', metadata: '{"plan":"pro"}' })
})

/** Rows like an existing one. */
async function addMany(kit: Awaited<ReturnType<typeof withOrganization>>['kit'], count: number): Promise<void> {
  const { db } = kit.app
  const user = await db.selectFrom('user').selectAll().executeTakeFirstOrThrow()
  const member = await db.selectFrom('member').selectAll().executeTakeFirstOrThrow()
  const numbers = Array.from({ length: count }, (_, number) => String(number + 1).padStart(3, '0'))
  await db
    .insertInto('user')
    .values(
      numbers.map((number) => ({
        ...user,
        id: `user-${number}`,
        name: `Person ${number}`,
        // A job reads it from the name.
        sortName: null,
        email: `p${number}@example.com`,
      })),
    )
    .execute()
  await db
    .insertInto('member')
    .values(
      numbers.map((number) => ({ ...member, id: `member-${number}`, userId: `user-${number}`, role: 'member', teamId: null })),
    )
    .execute()
  await db
    .updateTable('organization')
    .set({ memberCount: count + 2 })
    .execute()
}

test('dialogs and toasts break long names without a space', async () => {
  const { openAs, base } = await withOrganization()
  const page = await openAs(ada, `${base}/teams`, { viewport: { width: 320, height: 640 } })
  const name = 'x'.repeat(120)
  await page.getByRole('button', { name: 'Create team' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await page.keyboard.press('Enter')
  await note(page, `The team ${name} was created.`).waitFor()
  const close = await page.getByLabel('Dismiss').boundingBox()
  expect((close?.x ?? 320) + (close?.width ?? 0)).toBeLessThanOrEqual(304)
  await chooseAction(page, name, 'Remove team')
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('Its members stay').waitFor()
  expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
})

test('pages and filters of the members are in the address', async () => {
  const { openAs, base, kit } = await withOrganization()
  await addMany(kit, 118)
  const page = await openAs(ada, `${base}/members`)
  await page.getByText('1–50 of 120').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('51–100 of 120').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('101–120 of 120').waitFor()
  await page.reload()
  await page.getByText('101–120 of 120').waitFor()
  await page.getByRole('button', { name: 'Previous' }).click()
  await page.getByText('51–100 of 120').waitFor()
  await page.getByRole('searchbox').fill('Person 11')
  await page.getByText('1–9 of 9').waitFor()
  expect(new URL(page.url()).search).toBe('?search=Person+11')
  await page.getByLabel('Role', { exact: true }).selectOption('Owner')
  await page.getByRole('heading', { name: 'No member matches' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('1–50 of 120').waitFor()
  expect(await page.getByRole('searchbox').inputValue()).toBe('')
})

test('the switcher finds an organization by keyboard, makes it active, and offers it first the next time', async () => {
  const { openAs, base, kit, activeOrganizations } = await withOrganization({}, null)
  const { db } = kit.app
  const [row] = await db.selectFrom('organization').selectAll().execute()
  const [member] = await db.selectFrom('member').selectAll().execute()
  if (!row || !member) throw new Error('The organization is missing')
  const ids = Array.from({ length: 120 }, (_, number) => `other-${number}`)
  await db
    .insertInto('organization')
    .values(ids.map((id) => ({ ...row, id, slug: id, name: `Zeta ${id}` })))
    .execute()
  await db
    .insertInto('member')
    .values(ids.map((id) => ({ ...member, id, organizationId: id, teamId: null })))
    .execute()
  const page = await openAs(ada, base)
  await page.getByRole('combobox', { name: 'Halden Ferry' }).press('Enter')
  await page.getByText('50 of 121 organizations.').waitFor()
  await page.locator('input:focus').waitFor()
  await page.keyboard.type('other-97')
  await page.getByRole('option', { name: 'Zeta other-97' }).waitFor()
  await expect.poll(() => page.getByRole('option').count()).toBe(1)
  await page.keyboard.press('Enter')
  await heading(page, 'Zeta other-97').waitFor()
  await page.getByText('Active organization').waitFor()
  expect(await activeOrganizations()).toEqual(['other-97'])
  await page.getByRole('combobox', { name: 'Zeta other-97' }).click()
  const recent = page.getByRole('group', { name: 'Recent' })
  await recent.getByRole('option', { name: 'Zeta other-97', selected: true }).waitFor()
  await recent.getByRole('option', { name: 'Halden Ferry' }).waitFor()
})
