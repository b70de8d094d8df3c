import { describe, expect, test } from 'vitest'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { type OrganizationConfig, outcome, withAcme } from '../../../tests/kit/members.ts'
import { recordStatements } from '../../../tests/kit/statements.ts'
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import type { ConfigFile } from '../index.ts'
import { deleteUser, insertUsers, userCreation } from '../users/index.ts'
import { addMember } from './members.ts'
import { finishDeletion, markDeleted } from './organization-deletion.ts'
import { createOrganization } from './organizations.ts'

type DeleteUser = Exclude<NonNullable<NonNullable<ConfigFile['user']>['deleteUser']>, boolean>
const onlyOwner = '400 YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER'

const withDeletion = (organization: OrganizationConfig = {}, deleteUserOptions: DeleteUser = {}) =>
  withAcme(organization, { user: { deleteUser: { enabled: true, ...deleteUserOptions } } })

/** Members that no one signs in as. */
async function insertMembers(app: App, organizationId: string, count: number): Promise<void> {
  const users = Array.from({ length: count }, (_, number) => {
    const { draft } = userCreation(app, { name: `User${number}`, email: `user${number}@example.com` })
    return { ...draft, accessRevision: 0, role: null } as UserRow
  })
  await insertUsers(app, users)
  const member = { organizationId, role: 'member', createdAt: app.now() }
  await app.db
    .insertInto('member')
    .values(users.map(({ id }) => ({ ...member, id: `member-${id}`.slice(0, 36), userId: id })))
    .execute()
  const more = app.db.updateTable('organization').set((eb) => ({ memberCount: eb('memberCount', '+', count) }))
  await more.where('id', '=', organizationId).execute()
}

/** More rows than one statement deletes. */
async function insertMany(app: App, organizationId: string, inviterId: string): Promise<void> {
  const rows = Array.from({ length: 600 }, (_, number) => ({ id: `row-${number}`, organizationId, createdAt: app.now() }))
  const sent = { status: 'accepted', expiresAt: app.now(), inviterId }
  const invitations = rows.map((row, number) => ({ ...row, ...sent, email: `guest${number}@example.com` }))
  await app.db.insertInto('invitation').values(invitations).execute()
}

test('an organization is deleted in statements that each delete few rows, and in transactions that each lock it briefly', async () => {
  const kit = await withAcme()
  const { ann, app, organizationId } = kit
  await insertMany(app, organizationId, ann.userId)
  await insertMembers(app, organizationId, 600)
  const { record } = recordStatements(kit)
  await transaction(Object.assign(Object.create(app), { defer: () => {} }), (tx) => markDeleted(tx, organizationId))
  const { statements } = await record(() => finishDeletion(app, organizationId))
  const count = (pattern: RegExp) => statements.filter((statement) => pattern.test(statement)).length
  expect([count(/^delete invitation/), count(/^delete member/)]).toEqual([2, 2])
  const locks = statements.flatMap((statement, position) => (statement === 'update organization' ? [position] : []))
  expect(locks.length).toBeGreaterThan(3)
  for (const table of ['organization', 'member', 'invitation'] as const)
    expect(await app.db.selectFrom(table).select('id').execute()).toEqual([])
})

describe('deleting a user', () => {
  test('deletes their organizations and the invitations that they sent in statements that each delete few rows', async () => {
    const kit = await withDeletion()
    const { ann, app, organizationId, other } = kit
    const bob = await other()
    await insertMany(app, organizationId, bob.userId)
    const { record } = recordStatements(kit)
    const deletions = async (browser: Browser, pattern: RegExp) => {
      const { result, statements } = await record(() => browser.call('POST /delete-user', { body: {} }))
      expect(outcome(result)).toBe('200')
      return statements.filter((statement) => pattern.test(statement)).length
    }
    expect(await deletions(bob.browser, /^delete invitation/)).toBe(2)
    expect(await app.db.selectFrom('invitation').select('id').execute()).toEqual([])
    expect(await deletions(ann.browser, /^delete organization/)).toBe(1)
  })

  test('is rejected while they are the only owner of an organization with other members', async () => {
    const { ann, join, rows, activity, app } = await withDeletion()
    const ben = await join('Ben', 'admin')
    const before = await activity()
    const response = await ann.browser.call('POST /delete-user', { body: {} })
    expect([outcome(response), response.body.message]).toEqual([onlyOwner, 'You cannot leave the organization as the only owner'])
    expect([(await rows()).length, await activity()]).toEqual([2, before])
    await ann.browser.call('POST /organization/update-member-role', { body: { memberId: ben.memberId, role: 'owner' } })
    expect(outcome(await ann.browser.call('POST /delete-user', { body: {} }))).toBe('200')
    expect((await rows()).map(({ userId }) => userId)).toEqual([ben.userId])
    expect(await app.db.selectFrom('user').select('id').execute()).toEqual([{ id: ben.userId }])
  })

  test('is rejected by the deletion link too, which stays valid', async () => {
    const mails = captureMails()
    const { ann, join } = await withDeletion({}, { sendDeleteAccountVerification: mails.send })
    const ben = await join('Ben', 'admin')
    await ann.browser.call('POST /delete-user', { body: {} })
    const { token } = await mails.next()
    expect(outcome(await ann.browser.call('GET /delete-user/callback', { query: { token } }))).toBe(onlyOwner)
    expect(outcome(await ann.browser.call('POST /delete-user', { body: { token } }))).toBe(onlyOwner)
    await ann.browser.call('POST /organization/remove-member', { body: { memberIdOrEmail: ben.memberId } })
    expect(outcome(await ann.browser.call('POST /delete-user', { body: { token } }))).toBe('200')
  })

  test('deletes the organizations of which they are the only member, and leaves the others', async () => {
    const deleted: string[] = []
    const afterDelete = ({ organization }: { organization: { slug: string } }) => void deleted.push(organization.slug)
    const { ann, join, other, app, stored, activity } = await withDeletion({ organizationDeletion: { afterDelete } })
    const ben = await join('Ben', 'owner')
    const bob = await other()
    await addMember(app, { organizationId: bob.organizationId, userId: ann.userId, role: 'admin' })
    for (const slug of ['one', 'two']) await ann.browser.call('POST /organization/create', { body: { name: slug, slug } })
    expect(outcome(await ann.browser.call('POST /delete-user', { body: {} }))).toBe('200')
    const left = await app.db.selectFrom('organization').select(['slug', 'memberCount']).orderBy('slug').execute()
    expect(left).toEqual([
      { slug: 'acme', memberCount: 1 },
      { slug: 'beta-bob', memberCount: 1 },
    ])
    expect(deleted.sort()).toEqual(['one', 'two'])
    expect((await stored()).memberCount).toBe(1)
    expect(await activity()).toContain('member.left')
    const [entry] = await app.db
      .selectFrom('auditEvent')
      .selectAll()
      .where('organizationId', '=', bob.organizationId)
      .where('action', '=', 'member.left')
      .execute()
    expect(entry).toMatchObject({
      organizationId: bob.organizationId,
      targetId: ann.userId,
      actorId: ann.userId,
      details: { role: 'admin' },
    })
    expect((await app.db.selectFrom('member').select('userId').execute()).map(({ userId }) => userId).sort()).toEqual(
      [ben.userId, bob.userId].sort(),
    )
  })

  test('takes the same statements for any number of organizations', async () => {
    const { join, app } = await withDeletion()
    const ben = await join('Ben', 'owner')
    const recorder = recordStatements({ app })
    const count = async (userId: string) =>
      (await recorder.record(() => transaction(app, (tx) => deleteUser(tx, userId)))).statements.length
    const owner = await app.db.selectFrom('user').selectAll().where('id', '=', ben.userId).executeTakeFirstOrThrow()
    const many = await withOrganizations(40)
    const few = await withOrganizations(2)
    expect(await count(many)).toBe(await count(few))

    /** A user who shares half of their organizations with Ben. */
    async function withOrganizations(number: number): Promise<string> {
      const user = await join(`User${number}`)
      const row = { ...owner, id: user.userId, name: `User${number}`, email: user.email }
      for (let position = 0; position < number; position += 1) {
        const slug = `${number}-${position}`
        const { organization } = await createOrganization(app, position % 2 ? row : owner, { name: slug, slug })
        if (position % 2 === 0) await addMember(app, { organizationId: organization.id, userId: user.userId, role: 'member' })
      }
      return user.userId
    }
  })
})
