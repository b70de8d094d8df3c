/** What commands about people and sessions have in common. All of the server comes with it: import it inside an action. */
import type { App } from '../core/app.ts'
import type { UserRow } from '../core/request.ts'
import { findUserByEmail, findUserById } from '../features/users/index.ts'
import type { BaseContext } from './command.ts'
import { CliFailure } from './failure.ts'
import type { Output } from './output.ts'
import { readySchema } from './schema.ts'

/** `app` on a database that has its tables. @param waitForDatabase seconds */
export async function openReadyApp({ openApp }: Pick<BaseContext, 'openApp'>, waitForDatabase: number): Promise<App> {
  const { app, database, loaded } = await openApp({ waitForDatabase })
  await readySchema(loaded, database)
  return app
}

/** @param wanted an id or an address @throws CliFailure USER_NOT_FOUND */
export async function getUser(app: App, wanted: string): Promise<UserRow> {
  const user = wanted.includes('@') ? await findUserByEmail(app, wanted) : await findUserById(app, wanted)
  if (user) return user
  throw userNotFound(wanted)
}

export const userNotFound = (wanted: string): CliFailure =>
  new CliFailure('USER_NOT_FOUND', `There is no user ${wanted}`, {
    hint: 'Find him by a part of name or address: latchkey users list --search <text>',
  })

/** @throws CliFailure PASSWORDS_DISABLED when nobody could sign in by a password */
export function requirePasswords({ config }: App): void {
  if (config.emailAndPassword.enabled) return
  throw new CliFailure('PASSWORDS_DISABLED', 'Nobody can sign in by a password: emailAndPassword is off', {
    hint: 'Set emailAndPassword: { enabled: true } in the configuration.',
  })
}

/** Signed copies of sessions are refused at once because Redis is told; a command that could not tell it says so. */
export async function warnUnlessTold(app: App, output: Pick<Output, 'warn'>): Promise<void> {
  const { redis, session } = app.config
  if (!redis.enabled || !session.cookieCache.enabled) return
  const answers = await app.kv.ping().then(
    () => true,
    () => false,
  )
  if (answers) return
  output.warn(
    `It is done, but Redis does not answer here: a daemon that reaches it may believe session data in cookies for ${session.cookieCache.maxAge} s more`,
  )
}
