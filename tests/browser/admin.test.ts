/** The pages of administrators: users, bans, roles, sessions and impersonation, in one browser or two. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { jobs } from '../../src/features/bulk-actions/index.ts'
import type { ConfigFile } from '../../src/features/index.ts'
import { createUser } from '../../src/features/setup/index.ts'
import { insertUsers } from '../../src/features/users/index.ts'
import { type HostedPages, storages, withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const password = 'correct horse battery'
const root = { name: 'Root', email: 'root@example.com', password }
const ida = { name: 'Ida Wolfsgruber', email: 'ida@example.com', password }

type Options = Parameters<typeof hostedPages>[1]

/** An administrator, Ida, and more users. */
async function withUsers(config: ConfigFile = {}, options: Options = {}, more = 0) {
  const pages = await hostedPages(
    { admin: { enabled: true, listTimeout: 60_000 }, rateLimit: { enabled: false }, ...config },
    options,
  )
  const { app, clock } = pages.kit
  // Pages compare the end of a ban with the time of the browser.
  clock.advance((Date.now() - clock.now().getTime()) / 1000)
  const signUp = (user: typeof ida) => pages.kit.browser().call('POST /sign-up/email', { body: user })
  await signUp(root)
  await app.db.updateTable('user').set({ role: 'admin' }).where('email', '=', root.email).execute()
  await signUp(ida)
  const found = await app.db.selectFrom('user').selectAll().where('email', '=', ida.email).executeTakeFirstOrThrow()
  const others = Array.from({ length: more }, (_, number) => ({
    ...found,
    id: app.random.id(),
    name: `Person ${number}`,
    email: `person${number}@example.com`,
    createdAt: new Date(found.createdAt.getTime() - (number + 1) * 60_000),
  }))
  if (others.length > 0) await insertUsers(app, others)
  await app.db.deleteFrom('session').execute()
  return { ...pages, userId: found.id, path: `/admin/users/${found.id}` }
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const note = (page: Page, text: string | RegExp) => page.getByRole('main').getByRole('status').filter({ hasText: text })
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const sessionsOf = async ({ kit }: HostedPages, userId: string) =>
  (await kit.app.db.selectFrom('session').select('id').where('userId', '=', userId).execute()).length

async function chooseAction(page: Page, email: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${email}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

describe.each(storages)('on %s', (storage) => {
  test('bans a signed-in user, who is out immediately in their browser', async () => {
    const { openAs, path, userId, kit } = await withUsers({}, { storage })
    const own = await openAs(ida, '/account')
    await heading(own, 'Profile').waitFor()
    const page = await openAs(root, path)
    await page.getByRole('main').getByRole('button', { name: 'Ban user' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Ban Ida Wolfsgruber?' })
    expect(await dialog.getByRole('button', { name: 'Ban user' }).getAttribute('aria-disabled')).toBe('true')
    await dialog.getByLabel('Reason').fill('Ticket 48213')
    await dialog.getByLabel('Ends').selectOption('In 7 days')
    await dialog.getByRole('button', { name: 'Ban user' }).click()
    await note(page, 'Ida Wolfsgruber was banned. 1 session was revoked.').waitFor()
    await page.getByText('Banned. Reason: Ticket 48213').waitFor()
    await own.reload()
    await own.waitForURL('**/sign-in**')
    await own.getByLabel('Email').fill(ida.email)
    await own.getByLabel('Password', { exact: true }).fill(password)
    await own.keyboard.press('Enter')
    await own.getByText(kit.app.config.admin.bannedUserMessage).waitFor()
    const { banExpires } = await kit.app.db
      .selectFrom('user')
      .select('banExpires')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(banExpires).not.toBeNull()
    await page.getByRole('main').getByRole('button', { name: 'Lift ban' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Lift ban' }).click()
    await note(page, 'Ida Wolfsgruber can sign in again.').waitFor()
    await own.keyboard.press('Enter')
    await heading(own, 'Profile').waitFor()
  })

  test('impersonates a user and returns, across a reload', async () => {
    const { openAs, path } = await withUsers({}, { storage })
    const page = await openAs(root, path)
    await page.getByRole('button', { name: 'Impersonate' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Impersonate Ida Wolfsgruber?' })
    await dialog.getByLabel('Reason').fill('Ticket 48213')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/account')
    const bar = page.getByRole('status').filter({ hasText: 'Root, you are acting as Ida Wolfsgruber' })
    await bar.waitFor()
    await page.getByText('Reason: Ticket 48213').waitFor()
    await page.reload()
    await bar.waitFor()
    await page.getByRole('link', { name: 'Password and sign-in' }).click()
    await page.getByRole('main').getByText('This is not available while you act as another user.').first().waitFor()
    expect(await page.getByRole('button', { name: 'Change password' }).isDisabled()).toBe(true)
    await page.goto(page.url().replace('/account/password', '/admin/users'))
    await heading(page, 'You cannot open this page').waitFor()
    await bar.waitFor()
    // Also on pages for visitors.
    await page.goto(page.url().replace('/admin/users', '/error'))
    const note = page.getByRole('complementary', { name: 'Impersonation' }).filter({ hasText: 'You are acting as another user.' })
    await note.getByRole('link', { name: 'Go to your account' }).click()
    await bar.waitFor()
    await page.getByRole('button', { name: 'Exit impersonation' }).click()
    await page.waitForURL(`**${path}`)
    await heading(page, 'Ida Wolfsgruber').waitFor()
    expect(await bar.count()).toBe(0)
    await page.goto(page.url().replace(path, '/account'))
    await page.getByRole('main').getByText('root@example.com').waitFor()
  })
})

test('the first administrator sets a password with the setup link, and finds themselves in the list', async () => {
  const { kit, open, origin } = await hostedPages({ admin: true })
  const created = await createUser(kit.app, { email: root.email, name: root.name, role: 'admin' })
  const link = new URL(created.setupLink ?? '')
  const page = await open(link.pathname + link.search)
  await page.getByLabel('New password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Email').fill(root.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await heading(page, 'Profile').waitFor()
  await page.goto(`${origin}/admin/users`)
  await row(page, root.email).getByText('You').waitFor()
})

describe('the list', () => {
  test('finds a user by words of a name, by ID and by email', async () => {
    const { openAs, userId, path, origin } = await withUsers({}, {}, 60)
    const page = await openAs(root, '/admin/users')
    await page.getByText('1–50 of 62').waitFor()
    await page.getByLabel('Search users').fill('wolfsgrub')
    await row(page, ida.email).waitFor()
    await page.getByText('1–1 of 1').waitFor()
    await page.getByLabel('Search users').fill('Wolfs idá')
    await page.waitForURL((url) => url.searchParams.get('search') === 'Wolfs idá')
    await row(page, ida.email).waitFor()
    await page.getByText('1–1 of 1').waitFor()
    // One text, which can be copied as one line.
    await row(page, ida.email).getByText(ida.email, { exact: true }).waitFor()
    await page.getByLabel('Search users').fill(userId)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${path}`)
    await heading(page, 'Ida Wolfsgruber').waitFor()
    await page.goto(`${origin}/admin/users`)
    await page.getByLabel('Search users').fill(ida.email)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${path}`)
    await page.goBack()
    await row(page, ida.email).waitFor()
    expect(await page.getByLabel('Search users').inputValue()).toBe(ida.email)
  })

  test('shows filters as sentences, pages and sorting in its address', async () => {
    const { openAs } = await withUsers({}, {}, 60)
    const page = await openAs(root, '/admin/users?rows=25')
    await page.getByText('1–25 of 62').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('26–50 of 62').waitFor()
    await page.goBack()
    await page.getByText('1–25 of 62').waitFor()
    await page.getByRole('button', { name: 'Email', exact: true }).click()
    await page.getByRole('columnheader', { name: 'Name Email' }).and(page.locator('[aria-sort=ascending]')).waitFor()
    await row(page, 'ida@example.com').waitFor()
    expect(new URL(page.url()).searchParams.get('sort')).toBe('email')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('dialog').getByLabel('Role').selectOption('Admin')
    await page.getByRole('button', { name: 'Show users' }).click()
    await page.getByText('1–1 of 1').waitFor()
    await page.getByRole('button', { name: 'Role is Admin', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove the filter: Role is Admin' }).click()
    await page.getByText('1–25 of 62').waitFor()
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Banned' }).click()
    await page.getByRole('heading', { name: 'No user matches' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('1–50 of 62').waitFor()
  })

  test('filters by an organization, which is found by its name', async () => {
    const { openAs, kit, userId } = await withUsers({ organization: true })
    const createdAt = kit.app.now()
    const organizations = ['Halden Freight', 'Acme'].map((name) => ({
      id: name,
      name,
      slug: name,
      sortName: name.toLowerCase(),
      createdAt,
    }))
    await kit.app.db.insertInto('organization').values(organizations).execute()
    const member = { id: 'ida', organizationId: 'Halden Freight', userId, role: 'owner', createdAt }
    await kit.app.db.insertInto('member').values(member).execute()
    const page = await openAs(root, '/admin/users')
    await row(page, root.email).waitFor()
    await page.getByRole('button', { name: 'Add filter' }).click()
    const field = page.getByRole('dialog').getByRole('combobox', { name: 'Organization' })
    await field.fill('hald')
    await page.getByRole('option', { name: 'Halden Freight' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await field.inputValue()).toBe('Halden Freight')
    await page.getByRole('button', { name: 'Show users' }).click()
    await page.getByRole('button', { name: 'Member of Halden Freight', exact: true }).waitFor()
    await page.getByText('1–1 of 1').waitFor()
    await row(page, ida.email).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Member of Halden Freight', exact: true }).click()
    expect(await field.inputValue()).toBe('Halden Freight')
    await page.getByRole('button', { name: 'Remove the organization' }).click()
    await page.getByRole('button', { name: 'Show users' }).click()
    await row(page, root.email).waitFor()
    expect(new URL(page.url()).searchParams.get('organization')).toBeNull()
  })

  test('shows the columns of its address, so that a link shares the table', async () => {
    const { openAs } = await withUsers()
    const page = await openAs(root, '/admin/users?columns=status,lastSignIn')
    await page.getByRole('columnheader', { name: 'Last sign-in' }).waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Created', checked: false }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Status' }).click()
    await page.waitForURL((url) => url.searchParams.get('columns') === 'lastSignIn')
    await page.keyboard.press('Escape')
    // What was chosen here stays, and is in the address again.
    await page.goto(page.url().replace(/\?.*/, ''))
    await page.waitForURL((url) => url.searchParams.get('columns') === 'lastSignIn')
    await page.getByRole('columnheader', { name: 'Last sign-in' }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'Status' }).count()).toBe(0)
  })

  test('hides columns, and remembers it', async () => {
    const { openAs } = await withUsers()
    const page = await openAs(root, '/admin/users')
    await page.getByRole('columnheader', { name: 'Status' }).waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Status' }).click()
    await page.keyboard.press('Escape')
    await page.reload()
    await row(page, ida.email).waitFor()
    expect(await page.getByRole('columnheader', { name: 'Status' }).count()).toBe(0)
  })

  test('exports the users that match, pauses a long export, and downloads it when a daemon has written it', async () => {
    const { openAs, kit, userId } = await withUsers({}, {}, 600)
    const { db, features } = kit.app
    await db.updateTable('user').set({ emailVerified: true }).where('id', '=', userId).execute()
    const page = await openAs(root, '/admin/users?status=unverified&sort=email')
    await page.getByRole('button', { name: 'Export users' }).click()
    const dialog = page.getByRole('dialog', { name: 'Export users' })
    await dialog.getByLabel('File format').selectOption('NDJSON')
    await dialog.getByRole('button', { name: 'Export', exact: true }).click()
    await dialog.getByText('500 rows of 601').waitFor()
    await dialog.getByRole('button', { name: 'Pause' }).click()
    await dialog.getByText('Paused').waitFor()
    await dialog.getByRole('button', { name: 'Resume' }).click()
    await dialog.getByText('Running').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    for (const { jobs = {} } of features) await jobs.exports?.run(kit.app, new AbortController().signal)
    await page.getByRole('button', { name: 'Export users' }).click()
    await dialog.getByText('601 rows').waitFor()
    const download = page.waitForEvent('download')
    await dialog.getByRole('link', { name: 'Download' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^users-\d{4}-\d\d-\d\d\.ndjson$/)
    const users = (await readFile((await file.path()) ?? '', 'utf8')).trimEnd().split('\n')
    expect(users).toHaveLength(601)
    expect(JSON.parse(users[0] ?? '')).toMatchObject({ email: 'person0@example.com', emailVerified: false })
    expect(users.join()).not.toContain(ida.email)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('601 rows').waitFor({ state: 'detached' })
  })

  test('saves a view with its filters and sorting, and removes it', async () => {
    const { openAs } = await withUsers({}, {}, 3)
    const page = await openAs(root, '/admin/users')
    const views = page.getByRole('navigation', { name: 'Views' })
    const view = views.getByRole('link', { name: 'Former trials' })
    const [save, remove] = [page.getByRole('button', { name: 'Save view' }), page.getByRole('button', { name: 'Remove view' })]
    await row(page, 'person0@example.com').waitFor()
    expect(await save.count()).toBe(0)
    await page.goto(`${new URL(page.url()).origin}/admin/users?status=unverified&sort=email&search=person`)
    await save.click()
    const dialog = page.getByRole('dialog', { name: 'Save view' })
    await dialog.getByLabel('Name').fill('Banned')
    await dialog.getByText('There is a view with this name.').waitFor()
    await dialog.getByLabel('Name').fill('Former trials')
    await page.keyboard.press('Enter')
    await view.waitFor()
    expect(await view.getAttribute('aria-current')).toBe('page')
    await expect.poll(() => remove.evaluate((button) => button.matches(':focus'))).toBe(true)
    await views.getByRole('link', { name: 'All' }).click()
    await remove.waitFor({ state: 'detached' })
    await page.reload()
    await view.click()
    await page.waitForURL('**/admin/users?status=unverified&sort=email')
    await remove.click()
    await view.waitFor({ state: 'detached' })
    await page.reload()
    await save.waitFor()
    expect(await view.count()).toBe(0)
  })

  test('bans all users that match, on every page of the list, as work of the server that can be paused', async () => {
    const { openAs, kit } = await withUsers({}, {}, 30)
    const page = await openAs(root, '/admin/users?rows=25')
    await page.getByLabel('Select all users of this page').check()
    await page.getByRole('button', { name: 'Select all 32 that match' }).click()
    await page.getByText('All users that match are selected').last().waitFor()
    await page.getByRole('button', { name: 'Ban', exact: true }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Ban 31 users?' })
    await dialog.getByText('your own account').waitFor()
    await dialog.getByLabel('Reason').fill('Spam')
    await dialog.getByRole('button', { name: 'Ban 31 users' }).click()
    await heading(page, 'Ban users').waitFor()
    await page.getByText('0 of 31 users').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await kit.app.db.deleteFrom('user').where('email', '=', 'person3@example.com').execute()
    await jobs.bulkActions.run(kit.app, new AbortController().signal)
    await page.getByRole('status').filter({ hasText: 'Completed' }).waitFor()
    await page.getByText('31 of 31 users').waitFor()
    await page.getByRole('link', { name: 'Skipped 1' }).click()
    await page.getByText('The user no longer matched, or was deleted.').waitFor()
    const banned = await kit.app.db.selectFrom('user').select('email').where('banned', '=', true).execute()
    expect(banned).toHaveLength(30)
    expect(banned.map(({ email }) => email)).not.toContain(root.email)
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Bulk actions' }).click()
    await row(page, 'Ban users').filter({ hasText: root.email }).waitFor()
  })

  test('deletes several users once their number is typed', async () => {
    const { openAs, kit } = await withUsers({}, {}, 2)
    const page = await openAs(root, '/admin/users?search=person')
    await page.getByLabel('Select all users of this page').check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete 2 users?' })
    await dialog.getByLabel('Type 2 to confirm').fill('3')
    expect(await dialog.getByRole('button', { name: 'Delete 2 users' }).getAttribute('aria-disabled')).toBe('true')
    await dialog.getByLabel('Type 2 to confirm').fill('2')
    await dialog.getByRole('button', { name: 'Delete 2 users' }).click()
    await heading(page, 'Delete users').waitFor()
    await jobs.bulkActions.run(kit.app, new AbortController().signal)
    expect(await kit.app.db.selectFrom('user').select('id').execute()).toHaveLength(2)
  })

  test('says what makes a search fast when it took too long', async () => {
    const { openAs } = await withUsers()
    const page = await openAs(root, '/admin/users')
    await row(page, ida.email).waitFor()
    const error = { code: 'SEARCH_TOO_SLOW', message: 'The search took too long. Narrow it down.' }
    await page.route('**/admin/list-users**', (route) => route.fulfill({ status: 503, json: error }))
    await page.getByLabel('Search users').fill('slow')
    await page.getByText('The search took too long.').waitFor()
    await page.getByText('with fewer filters').waitFor()
    await page.getByText('SEARCH_TOO_SLOW').waitFor()
  })
})

describe('one user', () => {
  test('loses a session, then all of them', async () => {
    const pages = await withUsers()
    const { openAs, path, userId } = pages
    const own = await openAs(ida, '/account')
    await openAs(ida, '/account')
    const page = await openAs(root, `${path}?tab=sessions`)
    await page
      .getByRole('button', { name: /^Revoke session/ })
      .first()
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke session' }).click()
    await note(page, 'The session was revoked').waitFor()
    expect(await sessionsOf(pages, userId)).toBe(1)
    await page.getByRole('button', { name: 'Revoke all sessions' }).click()
    await page
      .getByRole('alertdialog', { name: 'Revoke all sessions of Ida Wolfsgruber?' })
      .getByRole('button', { name: 'Revoke sessions' })
      .click()
    await note(page, 'Ida Wolfsgruber: 1 session was revoked.').waitFor()
    await page.getByRole('heading', { name: 'No sessions' }).waitFor()
    await own.reload()
    await own.waitForURL('**/sign-in**')
  })

  test('gets a role, with which they open the users immediately', async () => {
    const { openAs, origin } = await withUsers({
      admin: { roles: { admin: { user: ['list', 'set-role'] }, support: { user: ['list'] }, user: {} } },
    })
    const own = await openAs(ida, '/admin/users')
    await heading(own, 'You cannot open this page').waitFor()
    const page = await openAs(root, '/admin/users')
    await chooseAction(page, ida.email, 'Set role')
    const dialog = page.getByRole('alertdialog', { name: 'Set the role of Ida Wolfsgruber' })
    await dialog.getByRole('checkbox', { name: /^User/ }).uncheck()
    await dialog.getByRole('checkbox', { name: /^support/ }).check()
    await dialog.getByText('user:list').first().waitFor()
    await dialog.getByRole('button', { name: 'Set role' }).click()
    await note(page, 'Ida Wolfsgruber now has this role: support.').waitFor()
    await own.reload()
    await row(own, ida.email).waitFor()
    expect(await own.getByRole('checkbox').count()).toBe(0)
    expect(await own.getByRole('link', { name: 'Create user' }).count()).toBe(0)
    // The address of the whole area leads to the first page that the role permits, and a form that cannot be sent is not shown.
    await own.goto(`${origin}/admin`)
    await own.waitForURL('**/admin/users')
    await row(own, ida.email).waitFor()
    await own.goto(`${origin}/admin/users/create`)
    await heading(own, 'You cannot open this page').waitFor()
  })

  test('gets a reset link, with which they set a password', async () => {
    const { openAs, open, path, mailedLink } = await withUsers()
    const page = await openAs(root, path)
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send reset link' }).click()
    await note(page, 'The reset link was sent to ida@example.com.').waitFor()
    const own = await open(new URL(await mailedLink(ida.email)).pathname + new URL(await mailedLink(ida.email)).search)
    await own.getByLabel('New password').fill('another horse battery')
    await own.keyboard.press('Enter')
    await own
      .getByText(/password/i)
      .first()
      .waitFor()
  })

  test('is edited, verified and created', async () => {
    const { openAs, path, kit, mailedLink } = await withUsers()
    const page = await openAs(root, path)
    await page.getByRole('button', { name: 'Edit profile' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Ida W.')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Email' }).fill(root.email)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('There is already a user with this email address.').waitFor()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Email' }).fill('ida.w@example.com')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await note(page, 'The changes were saved.').waitFor()
    await heading(page, 'Ida W.').waitFor()
    await page.getByRole('button', { name: 'Mark as verified' }).click()
    await note(page, 'The email address is now verified.').waitFor()
    await page.getByRole('link', { name: 'Users' }).first().click()
    await page.getByRole('link', { name: 'Create user' }).click()
    await page.getByLabel('Name').fill('New Person')
    await page.getByRole('textbox', { name: 'Email' }).fill('new@example.com')
    await page.getByRole('button', { name: 'Create user' }).click()
    await heading(page, 'New Person').waitFor()
    expect(await mailedLink('new@example.com')).toContain('reset-password')
    expect(await kit.app.db.selectFrom('user').select('id').execute()).toHaveLength(3)
  })

  test('gets a password, loses a sign-in method, and is exported and erased', async () => {
    const github = { clientId: 'an-id', clientSecret: 'a-secret' }
    const { openAs, path, kit, userId } = await withUsers({
      admin: { allowSettingPasswords: true },
      socialProviders: { github },
    })
    const { db } = kit.app
    const account = await db.selectFrom('account').selectAll().where('userId', '=', userId).executeTakeFirstOrThrow()
    const linked = { ...account, id: kit.app.random.id(), providerId: 'github', accountId: '583231', password: null }
    await db.insertInto('account').values(linked).execute()
    const page = await openAs(root, `${path}?tab=methods`)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('dialog').getByLabel('New password').fill('another horse battery')
    const mustReplace = page.getByRole('dialog').getByLabel('Must be replaced at the next sign-in, with a reset link')
    expect(await mustReplace.isChecked()).toBe(true)
    await mustReplace.uncheck()
    await page.getByRole('dialog').getByRole('button', { name: 'Set password' }).click()
    await note(page, 'The password was set.').waitFor()
    await openAs({ ...ida, password: 'another horse battery' }, '/account')
    await page.getByRole('button', { name: 'Unlink GitHub' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click()
    await note(page, 'GitHub was unlinked.').waitFor()
    await page.getByText('The only sign-in method cannot be removed.').waitFor()
    await page.getByRole('link', { name: 'Data' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export data' }).click()
    const exported = JSON.parse(await readFile((await (await download).path()) ?? '', 'utf8'))
    expect(exported).toMatchObject({ user: { email: ida.email } })
    await page.getByRole('button', { name: 'Erase personal data' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Erase the personal data of Ida Wolfsgruber?' })
    const erase = dialog.getByRole('button', { name: 'Erase personal data' })
    expect(await erase.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByLabel(`Type ${ida.email} to confirm`).fill(ida.email)
    await erase.click()
    await page.getByText('The personal data of Ida Wolfsgruber was erased.').waitFor()
    await row(page, root.email).waitFor()
    expect(await db.selectFrom('user').select('email').execute()).toEqual([{ email: root.email }])
  })
})

test('a visitor with no permission sees no link to administration', async () => {
  const { openAs } = await withUsers()
  const page = await openAs(ida, '/account')
  await heading(page, 'Profile').waitFor()
  expect(await page.getByRole('link', { name: 'Instance' }).count()).toBe(0)
  const other = await openAs(root, '/account')
  await other.getByRole('link', { name: 'Instance' }).click()
  await heading(other, 'Overview').waitFor()
  await other.getByRole('link', { name: 'Your account' }).click()
  await heading(other, 'Profile').waitFor()
})

test('bans a user with the keyboard alone, at 320 px', async () => {
  const { openAs } = await withUsers()
  const page = await openAs(root, '/admin/users', { viewport: { width: 320, height: 700 } })
  await page.getByRole('button', { name: `Actions for ${ida.email}` }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog', { name: 'Ban Ida Wolfsgruber?' }).waitFor()
  await page.getByLabel('Reason').focus()
  await page.keyboard.type('Spam')
  await page.keyboard.press('Enter')
  await note(page, 'Ida Wolfsgruber was banned.').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
})
