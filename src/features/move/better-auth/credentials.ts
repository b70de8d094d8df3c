/** What authenticates, in addition to passwords and sessions: API keys, signing keys, second factors, passkeys, and open links. */
import type { App } from '../../../core/app.ts'
import { columnsOf } from '../../../core/table.ts'
import { hashKey, isOfOrganizations, setOf } from '../../api-keys/index.ts'
import { sealPrivateKey } from '../../jwt/index.ts'
import { draftPasskeys, type GivenPasskey, insertPasskeys, type PasskeyRow } from '../../passkeys/index.ts'
import { draftFactors, type FactorDraft, type GivenFactors, insertFactors, isCodes } from '../../second-factor/index.ts'
import { passkeyLine } from '../../transfer/index.ts'
import { findUserById } from '../../users/index.ts'
import { mailedLinkValue, verificationCreation } from '../../verifications/index.ts'
import { type Draft, draftRow, idFor, type Kind, left, type MoveContext, openFormer, plainTable, referredId } from './kind.ts'
import { jsonText } from './organizations.ts'
import { numberOf, type SourceRow, textOf, timeOf, truthOf } from './source.ts'

/** SHA-256 in base64url. A key itself is longer, or has other characters, or its own start. */
function isHash(row: SourceRow): boolean {
  const [key, prefix, start] = [textOf(row.key) ?? '', textOf(row.prefix), textOf(row.start)]
  return /^[\w-]{43}$/.test(key) && !(prefix && key.startsWith(prefix)) && !(start && key.startsWith(start))
}

/** The owner of a key, by its set; or why it has none. */
function ownerOf(context: MoveContext, row: SourceRow) {
  const { app } = context
  const name = textOf(row.configId) ?? 'default'
  const set = setOf(app, name)
  if (set.configId !== name) return left(`no set ${name} in apiKey.configurations`, 'configId')
  const kind = isOfOrganizations(set) ? 'organization' : 'user'
  const id = textOf(kind === 'user' ? row.userId : row.organizationId)
  if (!id) return left(`the ${kind} does not exist or is not moved`, 'userId')
  const owner = referredId(context, kind, id)
  return {
    configId: name === 'default' ? null : name,
    userId: kind === 'user' ? owner : null,
    // Without keys of organizations, there is no such column.
    ...('organizationId' in columnsOf(app, 'apikey') && { organizationId: kind === 'organization' ? owner : null }),
  }
}

export const apiKeys: Kind = {
  name: 'apikey',
  // The set of a key says which of them its owner is.
  references: { userId: { kind: 'user', optional: true }, organizationId: { kind: 'organization', optional: true } },
  map: (context, row) => {
    const owner = ownerOf(context, row)
    if ('left' in owner) return owner
    const key = textOf(row.key) ?? ''
    return draftRow(context, 'apikey', row, {
      ...owner,
      key: isHash(row) ? key : hashKey(context.app, key),
      ...{ enabled: truthOf(row.enabled) ?? true, rateLimitEnabled: truthOf(row.rateLimitEnabled) ?? true },
      ...{ requestCount: numberOf(row.requestCount) ?? 0 },
      ...{ metadata: jsonText(textOf(row.metadata)), permissions: jsonText(textOf(row.permissions)) },
    })
  },
  // What each use writes is of the system that serves.
  ...plainTable('apikey'),
}

/** A private key is a JSON text of the encrypted one, or the key itself without encryption. */
export function openPrivateKey(context: Pick<MoveContext, 'formerSecrets'>, stored: string): string | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(stored)
  } catch {
    return null
  }
  if (typeof parsed === 'string') return openFormer(context, parsed)
  return typeof parsed === 'object' && parsed !== null ? stored : null
}

const curves: Readonly<Record<string, string>> = { Ed25519: 'EdDSA', 'P-256': 'ES256', 'P-521': 'ES512' }
/** Of the tokens of better-auth, unless its configuration says otherwise: 15 minutes. */
const defaultLifetime = 900

export const signingKeys: Kind = {
  name: 'jwks',
  references: {},
  map: (context, row) => {
    const privateKey = openPrivateKey(context, textOf(row.privateKey) ?? '')
    if (privateKey === null) return left('the private key was encrypted with another secret', 'privateKey')
    const jwk = JSON.parse(textOf(row.publicKey) ?? '{}') as { readonly crv?: string; readonly alg?: string }
    const algorithm = textOf(row.alg) ?? jwk.alg ?? curves[jwk.crv ?? ''] ?? context.jwtAlgorithm
    if (algorithm === null) return left('an RSA key without an algorithm', 'alg')
    const createdAt = timeOf(row.createdAt, context.zone) ?? context.now
    const expiresAt = timeOf(row.expiresAt, context.zone, 'later')
    return draftRow(context, 'jwks', row, {
      ...{ algorithm, createdAt, activatesAt: createdAt, retiredAt: expiresAt && expiresAt <= context.now ? expiresAt : null },
      ...{ privateKey: sealPrivateKey(context.app, privateKey), sequence: 0, tokenLifetime: defaultLifetime },
    })
  },
  ...plainTable('jwks'),
  // The newest key signs: the numbers follow the times of their creation.
  insert: async (tx, drafts, context) => {
    const { last } = await tx.db
      .selectFrom('jwks')
      .select((eb) => eb.fn.max('sequence').as('last'))
      .executeTakeFirstOrThrow()
    const sorted = drafts.toSorted((one, other) => Number(one.columns.createdAt) - Number(other.columns.createdAt))
    const numbered = sorted.map((draft, at) => ({
      ...draft,
      columns: {
        ...draft.columns,
        sequence: Number(last ?? 0) + at + 1,
        ...(at < sorted.length - 1 && { retiredAt: context.now }),
      },
    }))
    await plainTable('jwks').insert(tx, numbered, context)
  },
  // A key does not change.
  update: async () => {},
}

export const secondFactors: Kind = {
  name: 'twoFactor',
  references: { userId: { kind: 'user' } },
  map: (context, row) => {
    const id = referredId(context, 'user', textOf(row.userId) ?? '')
    if (truthOf(row.verified) === false) return left('never verified', 'verified')
    const secret = openFormer(context, textOf(row.secret) ?? '')
    if (secret === null) return left('the secret was encrypted with another secret', 'secret')
    const key = new Uint8Array(Buffer.from(secret))
    const factors = { totp: { key }, channels: [], passkeys: false, backupCodes: codesOf(context, textOf(row.backupCodes)) }
    return { id, columns: { id, userId: id }, more: factors }
  },
  // One hash for each backup code.
  complete: async ({ app }, draft) => ({ ...draft, more: await draftFactors(app, draft.id, draft.more as GivenFactors) }),
  insert: (tx, drafts) =>
    insertFactors(
      tx,
      drafts.map(({ more }) => more as FactorDraft),
    ),
  update: async (tx, draft, context) => {
    await secondFactors.remove(tx, [draft.id])
    await secondFactors.insert(tx, [draft], context)
  },
  remove: async (tx, ids) => {
    await tx.db.deleteFrom('backupCode').where('userId', 'in', ids).execute()
    await tx.db.deleteFrom('twoFactor').where('userId', 'in', ids).execute()
  },
}

/** Codes that own functions have encrypted cannot be read: their users make new ones. */
function codesOf(context: MoveContext, text: string | null): readonly string[] {
  const list = text === null || text.startsWith('[') ? text : openFormer(context, text)
  try {
    const codes: unknown = JSON.parse(list ?? 'null')
    return isCodes(codes) ? codes : []
  } catch {
    return []
  }
}

export const passkeys: Kind = {
  name: 'passkey',
  references: { userId: { kind: 'user' } },
  map: (context, row) => {
    const parsed = passkeyLine.safeParse({
      ...{ name: textOf(row.name), publicKey: textOf(row.publicKey), credentialID: textOf(row.credentialID) },
      ...{ counter: numberOf(row.counter) ?? 0, deviceType: textOf(row.deviceType), backedUp: truthOf(row.backedUp) },
      ...{ transports: textOf(row.transports), aaguid: textOf(row.aaguid) },
      createdAt: timeOf(row.createdAt, context.zone)?.toISOString(),
    })
    if (!parsed.success) return left('a value is not understood', parsed.error.issues[0]?.path.join('.') ?? null)
    const userId = referredId(context, 'user', textOf(row.userId) ?? '')
    const id = idFor(context, 'passkey', row)
    const [draft] = draftPasskeys(context.app, userId, [parsed.data satisfies GivenPasskey])
    return { id, columns: { ...draft, id } }
  },
  ...plainTable('passkey', ['lastUsedAt', 'suspendedAt', 'relatedOrigin', 'userHandle', 'rpID']),
  insert: (tx, drafts) =>
    insertPasskeys(
      tx,
      drafts.map(({ columns }) => columns as unknown as PasskeyRow),
    ),
}

const resetStart = 'reset-password:'

/** Links to set a password, which may be open in a mailbox. Everything else lives for minutes. */
export const openLinks: Kind = {
  name: 'verification',
  references: {},
  map: (context, row) => {
    const expiresAt = timeOf(row.expiresAt, context.zone, 'later')
    const identifier = textOf(row.identifier) ?? ''
    if (expiresAt === null || expiresAt <= context.now) return left('expired', 'expiresAt')
    if (!identifier.startsWith(resetStart)) return left('lives for minutes', 'identifier')
    const userId = referredId(context, 'user', textOf(row.value) ?? '')
    const token = identifier.slice(resetStart.length)
    const id = idFor(context, 'verification', row)
    return { id, columns: { id, expiresAt }, more: { token, userId } satisfies OpenLink }
  },
  insert: async (tx, drafts) => {
    for (const draft of drafts) await insertLink(tx, draft)
  },
  update: async (tx, draft, context) => {
    await openLinks.remove(tx, [draft.id])
    await openLinks.insert(tx, [draft], context)
  },
  remove: plainTable('verification').remove,
}

interface OpenLink {
  readonly token: string
  readonly userId: string
}

async function insertLink(tx: App, { id, columns, more }: Draft): Promise<void> {
  const { token, userId } = more as OpenLink
  const user = await findUserById(tx, userId)
  if (!user) return
  const purpose = 'reset-password'
  const value = mailedLinkValue(user)
  const { draft } = verificationCreation(tx, { purpose, token, value, subject: userId, expiresIn: 1 })
  await tx.db
    .insertInto('verification')
    .values({ ...draft, id, expiresAt: columns.expiresAt as Date })
    .execute()
}
