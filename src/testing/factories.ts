/** Creates what a test needs by the functions that calls and commands use, so that rules, hooks and events are the same. */
import type { App } from '../core/app.ts'
import { cookieDefinition } from '../core/cookies.ts'
import type { UserRow } from '../core/request.ts'
import { write } from '../core/write.ts'
import { createKey, type NewKey } from '../features/api-keys/index.ts'
import type { ConfigFile } from '../features/index.ts'
import { addMember, createOrganization } from '../features/organizations/index.ts'
import { newSession } from '../features/sessions/index.ts'
import { createUser } from '../features/setup/index.ts'
import { describeUser, findUserById } from '../features/users/index.ts'
import { signCookie } from '../lib/cookie.ts'

export interface NewTestUser {
  /** Default: a name of its own for each user. */
  readonly name?: string
  /** Default: an address of its own for each user. */
  readonly email?: string
  /** Default: true. */
  readonly emailVerified?: boolean
  /** Default: none, so that the user signs in by `signIn` only. */
  readonly password?: string
  /** Of `admin`, such as `admin`. */
  readonly role?: string
  /** Additional fields of the configuration. */
  readonly fields?: Readonly<Record<string, unknown>>
}

export interface TestUser {
  readonly id: string
  readonly name: string
  readonly email: string
}

export interface SignedIn {
  readonly sessionId: string
  /** Token of the session, as apps send it to `bearer`. */
  readonly token: string
  /** `Cookie` header. */
  readonly cookie: string
  /** For `fetch`: cookie and origin. */
  readonly headers: { readonly cookie: string; readonly origin: string }
  /** For `context.addCookies` of Playwright. */
  readonly browserCookies: readonly { readonly name: string; readonly value: string; readonly url: string }[]
}

export interface TestOrganization {
  readonly id: string
  readonly name: string
  readonly slug: string
}

export interface TestAPIKey {
  readonly id: string
  /** The secret. */
  readonly key: string
}

const requireFeature = (option: keyof ConfigFile, isEnabled: boolean): void => {
  if (!isEnabled) throw new Error(`Enable \`${option}\` in the configuration of this test`)
}

export function createFactories(app: App, origin: string) {
  let count = 0
  const rowOf = async ({ id }: Pick<TestUser, 'id'>) => {
    const user = await findUserById(app, id)
    if (!user) throw new Error(`There is no user ${id}`)
    return user
  }
  return {
    /** @throws ApiError as `latchkey users create` */
    createUser: async (given: NewTestUser = {}): Promise<TestUser> => {
      count += 1
      const { name = `User ${count}`, email = `user${count}@example.com`, emailVerified = true, ...more } = given
      const { user } = await createUser(app, { name, email, emailVerified, ...more }, { source: 'operator', overrides: true })
      const { id } = user
      return { id, name, email: describeUser(app, user).email }
    },
    /** A session without a sign-in: no browser, no password and no second factor. @throws ApiError for a banned user */
    signIn: async (user: Pick<TestUser, 'id'>): Promise<SignedIn> => {
      const row = await rowOf(user)
      const draft = newSession(app, row.id, { ipAddress: '127.0.0.1', userAgent: 'latchkey/testing' })
      const created = await write(app, [draft.creation], (tx, columns) => draft.insert(tx, columns, row))
      return describeSignedIn(app, origin, created.session)
    },
    ...createOrganizationFactories(app, rowOf),
    createAPIKey: async (owner: Pick<TestUser, 'id'>, given: NewKey = {}): Promise<TestAPIKey> => {
      requireFeature('apiKey', app.config.apiKey.enabled)
      const { row, key } = await createKey(app, await rowOf(owner), given)
      return { id: row.id, key }
    },
  }
}

function createOrganizationFactories(app: App, rowOf: (user: Pick<TestUser, 'id'>) => Promise<UserRow>) {
  let count = 0
  return {
    /** @param owner becomes the first member */
    createOrganization: async (
      owner: Pick<TestUser, 'id'>,
      given: { name?: string; slug?: string } = {},
    ): Promise<TestOrganization> => {
      requireFeature('organization', app.config.organization.enabled)
      count += 1
      const { name = `Organization ${count}`, slug = `organization-${count}` } = given
      const { organization } = await createOrganization(app, await rowOf(owner), { name, slug })
      return { id: organization.id, name, slug }
    },
    /** @param role of the organization; default: member @returns ID of the member */
    addMember: async (
      organization: Pick<TestOrganization, 'id'>,
      user: Pick<TestUser, 'id'>,
      role = 'member',
    ): Promise<string> => {
      requireFeature('organization', app.config.organization.enabled)
      return (await addMember(app, { organizationId: organization.id, userId: user.id, role })).id
    },
  }
}

function describeSignedIn(app: App, origin: string, { id, token }: { readonly id: string; readonly token: string }): SignedIn {
  const { name } = cookieDefinition(app.config, 'session_token')
  const value = signCookie(token, app.keyring)
  const cookie = `${name}=${value}`
  return { sessionId: id, token, cookie, headers: { cookie, origin }, browserCookies: [{ name, value, url: origin }] }
}
