/** The devices from which users have signed in: a browser and a system, in one network. */
import type { App } from '../../core/app.ts'
import type { Job } from '../../core/feature.ts'
import type { SessionRow } from '../../core/request.ts'
import { countRows } from '../../core/statement.ts'
import { sweepEnded } from '../../core/sweep.ts'
import { transaction } from '../../core/transaction.ts'
import { insertUnlessExists } from '../../core/write.ts'
import { describeDevice } from '../../lib/device.ts'
import { networkOf } from '../../lib/ip.ts'

type SignIn = Pick<SessionRow, 'userId' | 'ipAddress' | 'userAgent' | 'createdAt'>

/** Without versions, which change with each update. */
function keysOf(app: App, { userId, ipAddress, userAgent }: Omit<SignIn, 'createdAt'>): string[] {
  const { program, system } = describeDevice(userAgent)
  const name = program.replace(/[ /][\d.]+$/, '')
  return app.keyring.hashes('known device', JSON.stringify([userId, name, system ?? '', networkBlock(ipAddress ?? '')]))
}

/** Whether a user has signed in from this device before, since it was forgotten. */
export const isKnownDevice = async (app: App, client: Omit<SignIn, 'createdAt'>): Promise<boolean> =>
  (await countRows(app.db.selectFrom('knownDevice').where('key', 'in', keysOf(app, client)))) > 0

/** Customers of a provider get changing IPv4 addresses of one block. */
const networkBlock = (address: string): string =>
  address.includes(':') ? networkOf(address) : address.split('.').slice(0, 3).join('.')

/**
 * Remembers the device of a sign-in.
 * @param lastSignInAt the one before
 * @param notify called in the same transaction when the user has signed in before, but not from this device
 */
export async function noteDevice(
  app: App,
  signIn: SignIn,
  lastSignInAt: Date | null,
  notify: (tx: App) => Promise<void>,
): Promise<void> {
  const keys = keysOf(app, signIn)
  const [key = ''] = keys
  const seen = { key, lastSignInAt: signIn.createdAt }
  const known = await app.db.updateTable('knownDevice').set(seen).where('key', 'in', keys).executeTakeFirst()
  if (known.numUpdatedRows > 0n) return
  await transaction(app, async (tx) => {
    // Of two sign-ins at the same time from a new device, one notifies.
    if (!(await insertUnlessExists(tx, insertion(tx, signIn.userId, seen)))) return
    const devices = await countRows(tx.db.selectFrom('knownDevice').where('userId', '=', signIn.userId))
    if (devices > mostDevices) await deleteOldest(tx, signIn.userId, devices - mostDevices)
    if (devices > 1 || isForgotten(app, signIn, lastSignInAt)) await notify(tx)
  })
}

/** Of one user: a program may name another device at each sign-in. */
const mostDevices = 1000

async function deleteOldest(tx: App, userId: string, count: number): Promise<void> {
  const oldest = tx.db.selectFrom('knownDevice').select('id').where('userId', '=', userId).orderBy('lastSignInAt')
  const ids = (await oldest.limit(Math.min(count, mostDevices)).execute()).map(({ id }) => id)
  await tx.db.deleteFrom('knownDevice').where('id', 'in', ids).execute()
}

/** Whether the devices of earlier sign-ins are deleted: a stranger in an unused account must not count as its first device. */
const isForgotten = ({ config }: App, { createdAt }: SignIn, lastSignInAt: Date | null): boolean =>
  lastSignInAt !== null && lastSignInAt.getTime() < createdAt.getTime() - config.notices.deviceRetention * 1000

/** From the row of the user, who may have been deleted since: then nothing is inserted. */
const insertion = (tx: App, userId: string, { key, lastSignInAt }: { readonly key: string; readonly lastSignInAt: Date }) =>
  tx.db
    .insertInto('knownDevice')
    .columns(['id', 'userId', 'key', 'lastSignInAt'])
    .expression(({ selectFrom }) =>
      selectFrom('user')
        .select((eb) => [
          eb.val(tx.random.id()).as('id'),
          'user.id as userId',
          eb.val(key).as('key'),
          eb.val(lastSignInAt).as('lastSignInAt'),
        ])
        .where('user.id', '=', userId),
    )

/** Deletes devices past `notices.deviceRetention`. */
export const sweepDevices: Job['run'] = (app, signal) =>
  sweepEnded(app, signal, {
    table: 'knownDevice',
    column: 'lastSignInAt',
    before: ({ now, config }) => new Date(now().getTime() - config.notices.deviceRetention * 1000),
  })
