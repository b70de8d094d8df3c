/** An organization with members, for tests of its calls. */
import type { ConfigFile } from '../../src/features/index.ts'
import { addMember } from '../../src/features/organizations/members.ts'
import { type TestApp, type TestOptions, testApp } from './app.ts'
import type { Answer, Browser } from './browser.ts'

export const password = 'correct horse battery'

/** A signed-in member, with the organization active in their session. */
export interface Member {
  readonly browser: Browser
  readonly userId: string
  readonly memberId: string
  readonly email: string
}

export type OrganizationConfig = Exclude<NonNullable<ConfigFile['organization']>, boolean>

/** The status, and of an error its code. */
export const outcome = ({ status, body }: Answer): string => (status === 200 ? '200' : `${status} ${body?.code}`)

export async function signUp({ browser: open }: Pick<TestApp, 'browser'>, name: string) {
  const browser = open()
  const email = `${name.toLowerCase()}@example.com`
  const { body } = await browser.call('POST /sign-up/email', { body: { name, email, password } })
  return { browser, email, userId: String(body.user.id) }
}

/** Ann has created Acme, and is its only member. */
export async function withAcme(organization: OrganizationConfig = {}, config: ConfigFile = {}, options: TestOptions = {}) {
  const kit = await testApp({ ...config, organization: { enabled: true, ...organization } }, options)
  return { ...kit, ...(await createAcme(kit)) }
}

/** @param kit an app with organizations */
export async function createAcme(kit: TestApp) {
  const signedUp = await signUp(kit, 'Ann')
  const { body } = await signedUp.browser.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })
  const organizationId = String(body.id)
  const ann: Member = { ...signedUp, memberId: String(body.members[0].id) }
  /** Signs a user up who is a member. */
  const join = async (name: string, role = 'member', of = organizationId): Promise<Member> => {
    const user = await signUp(kit, name)
    const { id } = await addMember(kit.app, { organizationId: of, userId: user.userId, role })
    await user.browser.call('POST /organization/set-active', { body: { organizationId: of } })
    return { ...user, memberId: id }
  }
  const rows = () => kit.app.db.selectFrom('member').selectAll().where('organizationId', '=', organizationId).execute()
  const stored = () =>
    kit.app.db.selectFrom('organization').selectAll().where('id', '=', organizationId).executeTakeFirstOrThrow()
  const activity = async () =>
    (await kit.app.db.selectFrom('auditEvent').select('action').where('organizationId', '=', organizationId).execute())
      .map(({ action }) => action)
      .sort()
  /** Another organization, with its owner. */
  const other = async (name = 'Bob') => {
    const owner = await signUp(kit, name)
    const created = await owner.browser.call('POST /organization/create', { body: { name: 'Beta', slug: `beta-${name}` } })
    return { ...owner, organizationId: String(created.body.id), memberId: String(created.body.members[0].id) }
  }
  return { ann, organizationId, join, rows, stored, activity, other }
}
