/** The authenticator app of a user: its secret, and its codes, each of which works once (contract 11 §5). */
import { type App, deviceOf } from '../../core/app.ts'
import { tokenAlphabet } from '../../lib/text.ts'
import { base32, matchTimeStep, otpauthURI, type TOTPAlgorithm, type TOTPSettings, timeStep } from '../../lib/totp.ts'
import { succeeded } from './attempts.ts'
import { driftingCodes, type FactorRow } from './model.ts'

const purpose = 'authenticator secret'
/** A secret that was not verified by then is of no use any more. */
export const pendingSeconds = 3600

/** Imported secrets keep their bytes, which need not be text. */
const rawPrefix = 'raw:'

export const createSecret = ({ random }: App): string => random.token(32, tokenAlphabet)
export const sealSecret = (app: App, secret: string): string => app.keyring.encrypt(purpose, secret)
/** For an imported secret. @param key its bytes */
export const sealKey = (app: App, key: Uint8Array): string =>
  app.keyring.encrypt(purpose, `${rawPrefix}${Buffer.from(key).toString('base64')}`)

/** @returns null when it was encrypted with a secret that is not configured any more: then no code is right */
function openSecret(app: App, sealed: string): string | null {
  try {
    return app.keyring.decrypt(purpose, sealed)
  } catch (error) {
    app.log.warn({ err: error }, 'The secret of an authenticator app cannot be decrypted')
    return null
  }
}

const bytesOf = (text: string): Uint8Array =>
  text.startsWith(rawPrefix) ? Buffer.from(text.slice(rawPrefix.length), 'base64') : Buffer.from(text)

function keyOf(app: App, sealed: string): Uint8Array | null {
  const text = openSecret(app, sealed)
  return text === null ? null : bytesOf(text)
}

/** Those of an imported secret may differ from the configured ones. */
function settingsOf({ config }: App, row: Pick<FactorRow, 'algorithm' | 'digits' | 'period'> | null): TOTPSettings {
  const { digits, period } = config.twoFactor.totpOptions
  const algorithm = row?.algorithm
  const isKnown = (name: string | null | undefined): name is TOTPAlgorithm => name === 'SHA256' || name === 'SHA512'
  return { digits: row?.digits ?? digits, period: row?.period ?? period, algorithm: isKnown(algorithm) ? algorithm : 'SHA1' }
}

const issuerOf = ({ config }: App): string => config.twoFactor.totpOptions.issuer ?? config.twoFactor.issuer ?? config.appName

export interface SecretDescription extends TOTPSettings {
  /** Base32. */
  readonly secret: string
  readonly issuer: string | null
}

/**
 * The active secret in the form in which products exchange it; null when there is none.
 * @throws Error when it was encrypted with a secret that is not configured any more: an export must not leave it out
 */
export function describeSecret(app: App, row: FactorRow): SecretDescription | null {
  if (row.secret === null) return null
  return { secret: base32(bytesOf(app.keyring.decrypt(purpose, row.secret))), ...settingsOf(app, row), issuer: row.issuer }
}

/** A secret that waits for its first code; null when there is none, or it has waited too long. */
export function pendingSecret({ now }: App, row: FactorRow | null): string | null {
  const isRecent = row?.pendingAt != null && now().getTime() - row.pendingAt.getTime() < pendingSeconds * 1000
  return isRecent ? row.pendingSecret : null
}

/** The URI of the pending secret, else of the active one; null when there is neither. @param account shown in the app */
export function secretURI(app: App, row: FactorRow, account: string, which: 'pending' | 'active'): string | null {
  const sealed = which === 'pending' ? pendingSecret(app, row) : row.secret
  if (sealed === null) return null
  const issuer = (which === 'pending' ? row.pendingIssuer : row.issuer) ?? issuerOf(app)
  const key = keyOf(app, sealed)
  return key && otpauthURI(key, { issuer, account, ...settingsOf(app, which === 'active' ? row : null) })
}

/** @returns the time step of the code; null when it is wrong */
export function matchCode(app: App, row: FactorRow, code: string, which: 'pending' | 'active'): number | null {
  const sealed = which === 'pending' ? pendingSecret(app, row) : row.secret
  if (sealed === null) return null
  const settings = settingsOf(app, which === 'active' ? row : null)
  const { window } = app.config.twoFactor.totpOptions
  const key = keyOf(app, sealed)
  return key && matchTimeStep(key, code, settings, { time: app.now().getTime(), window })
}

/** Encrypts a secret with the newest secret of the configuration when it is used, so that the former ones can be removed. */
function resealed(app: App, sealed: string | null): { readonly secret?: string } {
  if (sealed === null || app.keyring.isNewest(sealed)) return {}
  const text = openSecret(app, sealed)
  return text === null ? {} : { secret: app.keyring.encrypt(purpose, text) }
}

/** @param before what it was with the code before this one */
function driftAfter(app: App, before: number, step: number, { period }: TOTPSettings): number {
  const offset = Math.sign(step - timeStep(app.now().getTime(), period))
  const drift = Math.sign(before) === offset ? before + offset : offset
  return Math.max(-driftingCodes, Math.min(driftingCodes, drift))
}

/**
 * Uses a code of the active secret, and ends the wrong ones before it unless the app is on probation. The conditional update decides: of concurrent requests one uses it, on any daemon.
 * @returns false when the code was used, or its secret replaced, or concurrent guesses have caused a delay
 */
export async function useTimeStep(tx: App, row: FactorRow, step: number, isTrusted: boolean): Promise<boolean> {
  const { userId, secret } = row
  const clockDrift = driftAfter(tx, row.clockDrift, step, settingsOf(tx, row))
  const used = await tx.db
    .updateTable('twoFactor')
    .set({ lastUsedStep: step, clockDrift, totpUsedAt: tx.now(), ...resealed(tx, secret), ...succeeded(tx, isTrusted) })
    .where('userId', '=', userId)
    .where('secret', '=', secret)
    .where('lastUsedStep', '<', step)
    .where('blockedUntil', '<=', tx.now().getTime())
    .executeTakeFirst()
  return used.numUpdatedRows > 0n
}

/** The same for the first code of a pending secret, which becomes the active one. One that replaces another is as old as that one. */
export async function activateSecret(tx: App, row: FactorRow, step: number): Promise<boolean> {
  const clockDrift = driftAfter(tx, 0, step, settingsOf(tx, null))
  const used = await tx.db
    .updateTable('twoFactor')
    .set({
      ...{
        secret: row.pendingSecret,
        issuer: row.pendingIssuer,
        verified: true,
        ...(!row.verified && { addedAt: tx.now(), addedWith: deviceOf(tx) }),
      },
      ...{ algorithm: null, digits: null, period: null, pendingSecret: null, pendingIssuer: null, pendingAt: null },
      ...{ lastUsedStep: step, clockDrift, totpUsedAt: tx.now(), suspendedAt: null, ...succeeded(tx) },
    })
    .where('userId', '=', row.userId)
    .where('pendingSecret', '=', row.pendingSecret)
    .where('blockedUntil', '<=', tx.now().getTime())
    .executeTakeFirst()
  return used.numUpdatedRows > 0n
}
