/** Passkeys of many users, as an import writes them and an export reads them. Public keys only: such a file signs no one in. */
import type { App } from '../../core/app.ts'
import { batchesOf } from '../../core/write.ts'
import { rpIDOf } from './config.ts'
import { credentialHash, type PasskeyRow } from './store.ts'

/** A passkey of another installation, or of another product. */
export interface GivenPasskey {
  readonly credentialID: string
  /** COSE, base64. */
  readonly publicKey: string
  readonly name: string | null
  readonly counter: number
  readonly deviceType: 'singleDevice' | 'multiDevice'
  readonly backedUp: boolean
  readonly transports: string
  readonly createdAt: Date | null
  readonly addedWith: string | null
  readonly aaguid: string | null
  /** Absent: that of the configuration. */
  readonly rpID?: string | undefined
  /** With which the authenticator stored it; null: not known, and not compared. */
  readonly userHandle: string | null
  readonly lastUsedAt: Date | null
  readonly isDiscoverable: boolean | null
  readonly isAutomatic: boolean
  readonly suspendedAt: Date | null
}

export const draftPasskeys = (app: App, userId: string, given: readonly GivenPasskey[]): PasskeyRow[] =>
  given.map((passkey) => ({
    ...{ ...passkey, id: app.random.id(), userId, relatedOrigin: null },
    ...{ rpID: passkey.rpID ?? rpIDOf(app.config), credentialHash: credentialHash(passkey.credentialID) },
  }))

const rowsPerStatement = 200

/** Writes the passkeys of users who have none yet. */
export async function insertPasskeys(tx: App, rows: readonly PasskeyRow[]): Promise<void> {
  // The next passkey gets the handle of the others, so that password managers show one account.
  const handles = new Map(rows.flatMap(({ userId, userHandle }) => (userHandle === null ? [] : [[userId, userHandle] as const])))
  const users = [...handles].map(([userId, handle]) => ({ id: tx.random.id(), userId, handle }))
  for (const batch of batchesOf(rows, rowsPerStatement)) await tx.db.insertInto('passkey').values(batch).execute()
  for (const batch of batchesOf(users, rowsPerStatement)) await tx.db.insertInto('passkeyUser').values(batch).execute()
}

/** The passkeys of users, oldest first. */
export async function exportPasskeys(app: App, userIds: readonly string[]): Promise<Map<string, GivenPasskey[]>> {
  if (userIds.length === 0) return new Map()
  const query = app.db.selectFrom('passkey').selectAll().where('userId', 'in', userIds)
  const rows = await query.orderBy('createdAt').orderBy('id').execute()
  const exported = ({
    id: _,
    userId: __,
    credentialHash: ___,
    relatedOrigin: ____,
    transports,
    deviceType,
    ...row
  }: PasskeyRow): GivenPasskey => ({
    ...row,
    deviceType: deviceType === 'multiDevice' ? 'multiDevice' : 'singleDevice',
    transports: transports ?? '',
  })
  return new Map([...Map.groupBy(rows, ({ userId }) => userId)].map(([userId, own]) => [userId, own.map(exported)]))
}
