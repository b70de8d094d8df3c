/** What passkeys are to the rest: a sign-in method, a second factor, and how strong the proof of one is. */
import { type SqlBool, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import type { ExpectedProofs, SecondFactor, SignInMethod } from '../../core/sign-in.ts'
import { isPossible, rpIDOf } from './config.ts'
import { deleteAllPasskeys, findWorking, isSignInMethod, listPasskeys, notFound, type PasskeyRow } from './store.ts'

export interface Used {
  readonly passkey: Pick<PasskeyRow, 'deviceType'>
  readonly isUserVerified: boolean
  /** False: the browser created it without a dialog, which proves nothing of a user, whatever the authenticator says. */
  readonly isUserPresent?: boolean
}

/** The authentication methods of RFC 8176: a synced passkey is a key in software. One that verified its user resists phishing. */
export const strengthOf = ({ passkey: { deviceType }, isUserVerified, isUserPresent = true }: Used) => ({
  amr: [deviceType === 'multiDevice' ? 'swk' : 'hwk', ...(isUserPresent ? ['user', ...(isUserVerified ? ['mfa'] : [])] : [])],
  ...(isUserPresent && isUserVerified && { acr: 'phr' as const }),
})

/** What a passkey proves as a sign-in method. */
export const provenBy = (used: Used) => ({ method: 'passkey', ...strengthOf(used) })

export const signInMethod: SignInMethod = {
  name: 'passkey',
  exists: isPossible,
  isAvailable: async (app, { id }) => (await listPasskeys(app, id)).some((passkey) => isSignInMethod(app, passkey)),
  expects: expectedProofs,
  findWays: async (app, users) => {
    const working = await findWorking(
      app,
      users.map(({ id }) => id),
    )
    const waysOf = (passkeys: readonly { readonly signsIn: boolean }[]) =>
      passkeys.flatMap(({ signsIn }) => (signsIn ? ['passkey'] : []))
    return new Map([...working].map(([id, passkeys]) => [id, waysOf(passkeys)]))
  },
}

/** One that has not verified its user is a factor too: what the user has. */
export const secondFactor: SecondFactor = {
  type: 'passkey',
  usability: async (app, { id }) => {
    if (!isPossible(app.config)) return 'off'
    const passkeys = await listPasskeys(app, id)
    if (passkeys.some((passkey) => isUsable(app, passkey))) return 'usable'
    return passkeys.some(({ suspendedAt }) => suspendedAt !== null) ? 'suspended' : 'not-set-up'
  },
  isUsable: ({ config }) => {
    if (!isPossible(config)) return sql<SqlBool>`1 = 0`
    const own = sql`${sql.ref('passkey.userId')} = ${sql.ref('user.id')} and ${sql.ref('passkey.suspendedAt')} is null`
    return sql<SqlBool>`exists (select 1 from ${sql.table('passkey')} where ${own} and ${sql.ref('passkey.rpID')} = ${rpIDOf(config)})`
  },
  missing: notFound,
  count: async (app, userId) => (await listPasskeys(app, userId)).length,
  times: async (app, userId) => {
    const passkeys = (await listPasskeys(app, userId)).filter((passkey) => isUsable(app, passkey))
    const uses = passkeys.flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
    const lastUsedAt = uses.reduce<Date | null>((last, at) => (last === null || at > last ? at : last), null)
    return { createdAt: passkeys[0]?.createdAt ?? null, addedWith: passkeys[0]?.addedWith ?? null, lastUsedAt }
  },
  removeAll: async (tx, userId) => void (await deleteAllPasskeys(tx, userId)),
}

const isUsable = ({ config }: App, { suspendedAt, rpID }: PasskeyRow): boolean => suspendedAt === null && rpID === rpIDOf(config)

/** Each passkey can verify its user; one that does not is accepted unless the configuration requires it. */
async function expectedProofs(app: App, { id }: UserRow): Promise<ExpectedProofs> {
  const passkey = (await listPasskeys(app, id)).find((one) => isUsable(app, one))
  if (!passkey) return { proofs: [], reason: 'no-passkey' }
  const verified = provenBy({ passkey, isUserVerified: true })
  const unverified = { ...provenBy({ passkey, isUserVerified: false }), variant: 'without-user-verification' }
  return { proofs: app.config.passkey.requireUserVerification ? [verified] : [verified, unverified], reason: 'has-passkey' }
}
