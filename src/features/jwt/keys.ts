/** Signing keys in the database: read, and created when there is none. */
import { type Actor, type App, actorFor, memo } from '../../core/app.ts'
import { defineErrors } from '../../core/errors.ts'
import { transaction } from '../../core/transaction.ts'
import { createId, insertUnlessExists } from '../../core/write.ts'
import { recordEvent } from '../audit/index.ts'
import { tokenLifetime } from './config.ts'
import { canOpen, createKeyPair, keepImported } from './key-pairs.ts'
import { describeKeys, findSigningKey, isPublished, type KeyRow, type SigningKey } from './key-states.ts'

export const errors = defineErrors({
  SIGNING_KEY_NOT_FOUND: [404, 'Signing key not found'],
  SIGNING_KEY_ALREADY_RETIRED: [400, 'Signing key already retired'],
})

export const auditActions = {
  'signing-key.created': 'A signing key was created; `activatesAt` is when it starts to sign',
  'signing-key.retired': 'A signing key was retired: it signs no more tokens, and its tokens stay valid',
  'signing-key.removed': 'A signing key was removed from the published keys: its tokens are rejected',
}

export const targetOf = (id: string) => ({ type: 'signing-key', id })

export const readKeyRows = ({ db }: App): Promise<KeyRow[]> => db.selectFrom('jwks').selectAll().orderBy('sequence').execute()

/** All keys with their states, oldest first. */
export const listKeys = async (app: App): Promise<SigningKey[]> =>
  describeKeys(await readKeyRows(app), app.config.jwt.jwks.gracePeriod, app.now())

/**
 * Creates the key that follows the given ones. The unique sequence decides between processes that do so at the same time.
 * @param actor default: that of `app`
 * @returns whether this process has created it
 */
export async function createKey(app: App, rows: readonly KeyRow[], activatesAt: Date, actor?: Actor): Promise<boolean> {
  const now = app.now()
  const row = {
    ...(await createKeyPair(app)),
    id: createId(app, 'jwks'),
    createdAt: now,
    sequence: (rows.at(-1)?.sequence ?? 0) + 1,
    activatesAt,
    tokenLifetime: tokenLifetime(app.config, now),
  }
  const { id, algorithm } = row
  return transaction(app, async (tx) => {
    if (!(await insertUnlessExists(tx, tx.db.insertInto('jwks').values(row)))) return false
    const details = { algorithm, activatesAt: activatesAt.toISOString() }
    await recordEvent(tx, { action: 'signing-key.created', target: targetOf(id), details, ...(actor && { actor }) })
    return true
  })
}

/** Other processes may create and retire keys in between. */
export const maxTries = 5

/** Latchkey creates the key that a request needs but does not ask for. */
export const automatic = (app: App): Actor => actorFor(app, 'jwt.signingKeys')

/** The creation that is running in this process, if any: an RSA key takes long. */
const creations = memo((_: App): { running: Promise<unknown> | null } => ({ running: null }))

/**
 * The keys, with one among them that signs: created when there is none.
 * @param actor of its creation; default: that of `app`
 * @throws Error when other processes retire each key that is created
 */
export async function ensureKeys(
  app: App,
  actor?: Actor,
): Promise<{ readonly rows: readonly KeyRow[]; readonly signing: KeyRow }> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const rows = await readKeyRows(app)
    const signing = findSigningKey(rows, app.now(), (row) => canOpen(app, row))
    if (signing) return { rows, signing: await raiseLifetime(app, signing) }
    const next = rows.find((row) => row.retiredAt === null && row.activatesAt > app.now() && canOpen(app, row))
    if (next) await activate(app, next)
    else await createSigningKey(app, rows, actor)
  }
  throw new Error('There is no signing key, because other processes retire each new one')
}

async function createSigningKey(app: App, rows: readonly KeyRow[], actor?: Actor): Promise<void> {
  const creation = creations(app)
  creation.running ??= createKey(app, rows, app.now(), actor).finally(() => {
    creation.running = null
  })
  await creation.running
}

/** A published key signs earlier than planned: the one before it was retired. */
async function activate({ db, now }: App, { id, activatesAt }: KeyRow): Promise<void> {
  const update = db.updateTable('jwks').set({ activatesAt: now() }).where('id', '=', id)
  await update.where('activatesAt', '=', activatesAt).where('retiredAt', 'is', null).execute()
}

/** Notes that tokens live longer than those of a former configuration, before the first of them is signed. */
async function raiseLifetime(app: App, row: KeyRow): Promise<KeyRow> {
  const lifetime = tokenLifetime(app.config, app.now())
  if (lifetime <= row.tokenLifetime) return row
  const update = app.db.updateTable('jwks').set({ tokenLifetime: lifetime }).where('id', '=', row.id)
  await update.where('tokenLifetime', '<', lifetime).execute()
  return { ...row, tokenLifetime: lifetime }
}

/** Milliseconds after which a process reads the keys again. `gracePeriod` is longer: until then, other processes use a retired key. */
const refreshMs = 10_000

interface KnownKeys {
  rows: readonly KeyRow[]
  /** Milliseconds since 1970. */
  readAt: number
  reading: Promise<void> | null
}
const knownKeys = memo((_: App): KnownKeys => ({ rows: [], readAt: Number.NEGATIVE_INFINITY, reading: null }))

async function refresh(app: App, known: KnownKeys): Promise<void> {
  const readAt = app.now().getTime()
  const { rows } = await ensureKeys(app, automatic(app))
  keepImported(app, rows)
  Object.assign(known, { rows, readAt })
}

/** The key that signs now. Concurrent calls of a process share one query, and most need none. */
export async function currentSigningKey(app: App): Promise<KeyRow> {
  const known = knownKeys(app)
  for (let tries = 0; tries < maxTries; tries += 1) {
    const now = app.now()
    const isKnown = Math.abs(now.getTime() - known.readAt) < refreshMs
    const signing = isKnown && findSigningKey(known.rows, now, (row) => canOpen(app, row))
    if (signing) return signing
    known.reading ??= refresh(app, known).finally(() => {
      known.reading = null
    })
    await known.reading
  }
  throw new Error('There is no signing key that stays valid while it is read')
}

/** Reads the keys again before the next token is signed: this process has changed them. */
export function discardKnownKeys(app: App): void {
  knownKeys(app).readAt = Number.NEGATIVE_INFINITY
}

/** The keys that verifiers need, read for each call: a daemon publishes a key as soon as any other daemon signs with it. */
export async function publishedKeys(app: App): Promise<SigningKey[]> {
  const { rows } = await ensureKeys(app, automatic(app))
  const now = app.now()
  return describeKeys(rows, app.config.jwt.jwks.gracePeriod, now).filter((key) => isPublished(key, now))
}
