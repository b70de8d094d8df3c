/** Administrators and users, for tests of administration. */
import type { ConfigFile } from '../../src/features/index.ts'
import { type TestApp, type TestOptions, testApp } from './app.ts'
import type { Answer, Browser } from './browser.ts'
import { signUp } from './members.ts'

export type AdminConfig = Exclude<NonNullable<ConfigFile['admin']>, boolean>

export interface SignedIn {
  readonly browser: Browser
  readonly email: string
  readonly userId: string
}

/** Status, body and the cookies that were set. */
export const seen = ({ status, body }: Answer): readonly [number, unknown] => [status, body]

/** Ada is an administrator; Uma is a user. */
export async function withAdmin(admin: AdminConfig = {}, config: ConfigFile = {}, options: TestOptions = {}) {
  return administrate(await testApp({ ...config, admin: { enabled: true, ...admin } }, options))
}

/** @param kit an app with administration */
export async function administrate<T extends TestApp>(kit: T) {
  /** @param role in the database only */
  const join = async (name: string, role?: string): Promise<SignedIn> => {
    const user = await signUp(kit, name)
    if (role !== undefined) await kit.app.db.updateTable('user').set({ role }).where('id', '=', user.userId).execute()
    return user
  }
  /** One more browser in which a user signs in. */
  const signIn = async (email: string, password = 'correct horse battery') => {
    const browser = kit.browser()
    return { browser, answer: await browser.call('POST /sign-in/email', { body: { email, password } }) }
  }
  const [ada, uma] = [await join('Ada', 'admin'), await join('Uma')]
  const userOf = (userId: string) => kit.app.db.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirst()
  const sessionsOf = (userId: string) => kit.app.db.selectFrom('session').selectAll().where('userId', '=', userId).execute()
  /** The events with these names, oldest first. */
  const events = async (...actions: string[]) => {
    const rows = await kit.app.db.selectFrom('auditEvent').selectAll().orderBy('createdAt').orderBy('id').execute()
    return rows.filter(({ action }) => actions.includes(action))
  }
  return { ...kit, ada, uma, join, signIn, userOf, sessionsOf, events }
}
