/** What an import brings that cannot be used here, because another secret has made it. */
import type { App } from '../../core/app.ts'
import { rpIDOf } from '../passkeys/index.ts'
import type { Header } from './line-schema.ts'
import type { ParsedLine } from './parsed-line.ts'
import type { Members } from './row-forms.ts'

/** Reasons, by what is lost. */
export const losses = {
  apiKeys: 'API keys were hashed with another secret. They work when it is one of the entries of secret',
  inviteLinks: 'invite links were hashed with another secret. They work when it is one of the entries of secret',
  backupCodes: 'backup codes may have been hashed with another secret. They work when it is one of the entries of secret',
  signingKeys:
    'signing keys have no private key, and are left out: tokens that they signed are rejected. Export with --with-signing-keys',
  passkeys: 'passkeys belong to another domain than passkey.rpID',
} as const

export type LossCounts = Record<keyof typeof losses, number>

export const noLosses = (): LossCounts => ({ apiKeys: 0, inviteLinks: 0, backupCodes: 0, signingKeys: 0, passkeys: 0 })

/** A key that moved from better-auth has no keyed hash until it is used. */
const isForeign = ({ keyring }: App, { hash, form }: Members): boolean =>
  form !== 'sha256' && typeof hash === 'string' && !keyring.knows(hash)

export function countLosses(app: App, header: Header, { type, members }: ParsedLine, counts: LossCounts): void {
  if (type === 'apikey' && isForeign(app, members)) counts.apiKeys += 1
  if (type === 'inviteLink' && isForeign(app, members)) counts.inviteLinks += 1
  if (type === 'signingKey' && isLeft({ type, members })) counts.signingKeys += 1
  if (type !== 'user') return
  const ids = app.keyring.ids()
  if (header.keyIds.some((id) => !ids.includes(id))) counts.backupCodes += listOf(members.backupCodes).length
  counts.passkeys += listOf(members.passkeys).filter(({ rpID }) => rpID !== rpIDOf(app.config)).length
}

const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value : [])

/** Without its private part, a signing key would not sign, and a later one would have its number. */
export const isLeft = ({ type, members }: Pick<ParsedLine, 'type' | 'members'>): boolean =>
  type === 'signingKey' && members.privateJwk === undefined
