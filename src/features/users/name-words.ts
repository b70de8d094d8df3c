/** The words of names, by which users are found: each word of each name is a row of a narrow table. */
import { sql } from 'kysely'
import type { App } from '../../core/app.ts'
import type { Job } from '../../core/feature.ts'
import { statement } from '../../core/statement.ts'
import { sweep } from '../../core/sweep.ts'
import { nullable, primary, references, string, timestamp } from '../../core/table.ts'
import { transaction } from '../../core/transaction.ts'
import { batchesOf, insertUnlessExists } from '../../core/write.ts'
import { setSortNames, sortNameOf } from './sort-name.ts'

/** Characters of a word that are stored. */
const longestWord = 32
/** Different words of a name that are stored: a name may be a long text. */
const mostWords = 16

export const wordTables = {
  /** Each different word of the name of a user, as `wordsOf` returns it. */
  userWord: { word: primary(string({ length: longestWord })), userId: primary(references('user')) },
  /** How far the check of all names has come: one row. `position`: the last user that was checked. */
  nameCheck: { id: primary(string({ length: 16 })), position: string({ length: 36 }), finishedAt: nullable(timestamp()) },
}

/** Letters without case and accents, so that every database compares them alike. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    // By capital letters, which also `ß` and the final sigma have.
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ς', 'σ')

const cut = (word: string): string => word.slice(0, longestWord).replace(/[\uD800-\uDBFF]$/, '')

/** The different words of a text: letters and digits in lower case and without accents, each cut to its first 32 characters. */
export const wordsOf = (text: string): string[] =>
  [
    ...new Set(
      fold(text.slice(0, 1000))
        .match(/[\p{L}\p{N}]+/gu)
        ?.map(cut),
    ),
  ].slice(0, mostWords)

interface Named {
  readonly id: string
  readonly name: string
}

/** Rows of one statement: databases limit its parameters. */
const mostRows = 4000

/** Inserts the words of new users, in their transaction. */
export async function insertWords(tx: App, users: readonly Named[]): Promise<void> {
  const rows = users.flatMap(({ id, name }) => wordsOf(name).map((word) => ({ word, userId: id })))
  for (const batch of batchesOf(rows, mostRows)) await tx.db.insertInto('userWord').values(batch).execute()
}

/** Makes the words of users those of their names, in the transaction that has written or locked the users. */
export async function replaceWords(tx: App, users: readonly Named[]): Promise<void> {
  const stored = await findWords(tx, users)
  const changed = users.filter(({ id, name }) => !isSameSet(stored.get(id), wordsOf(name)))
  const known = changed.map(({ id }) => id).filter((id) => stored.has(id))
  if (known.length > 0) await tx.db.deleteFrom('userWord').where('userId', 'in', known).execute()
  await insertWords(tx, changed)
}

const isSameSet = (stored: ReadonlySet<string> = new Set(), words: readonly string[]): boolean =>
  stored.size === words.length && words.every((word) => stored.has(word))

const findWordsOfOne = statement({ userWord: 'userWord' }, (db, { userId }: { userId: string }) =>
  db.selectFrom('userWord').where('userWord.userId', '=', userId),
)

async function readWords(app: App, ids: readonly string[]) {
  const [userId] = ids
  if (ids.length === 1 && userId !== undefined) return (await findWordsOfOne(app, { userId })).map(({ userWord }) => userWord)
  return app.db.selectFrom('userWord').select(['userId', 'word']).where('userId', 'in', ids).execute()
}

async function findWords(app: App, users: readonly Named[]): Promise<Map<string, Set<string>>> {
  const rows = await readWords(
    app,
    users.map(({ id }) => id),
  )
  const found = new Map<string, Set<string>>()
  for (const { userId, word } of rows) found.set(userId, (found.get(userId) ?? new Set()).add(word))
  return found
}

/** Users that one transaction locks: few enough that no request waits long. */
const lockedUsers = 200

/** Writes what is derived from the names of these users, also when an application wrote the names. */
export async function readNamesAgain(app: App, given: readonly Pick<Named, 'id'>[]): Promise<void> {
  const ids = given.map(({ id }) => id)
  for (const batch of batchesOf(ids, lockedUsers))
    await transaction(app, async (tx) => {
      const users = tx.db.selectFrom('user').select(['id', 'name', 'sortName']).orderBy('id').forUpdate()
      const locked = await users.where('id', 'in', batch).execute()
      const unsorted = locked.filter(({ name, sortName }) => sortName !== sortNameOf(name))
      if (unsorted.length > 0) await setSortNames(tx, 'user', unsorted)
      if (locked.length > 0) await replaceWords(tx, locked)
    })
}

/** Milliseconds from the end of a check to the start of the next one. */
const checkEveryMs = 86_400_000
const checkId = 'user'

/**
 * Compares what is derived from names with the names: for users that are older than the table of words, whom a daemon of an earlier
 * version has created or renamed, and whose name an application has written. It continues where the last run stopped.
 */
const checkNames: Job['run'] = async (app, signal) => {
  const start = await startCheck(app)
  if (start === null) return
  await sweep(app, signal, start, async (from, limit) => {
    const users = app.db.selectFrom('user').select(['id', 'name', 'sortName']).where('id', '>', from)
    const rows = await users.orderBy('id').limit(limit).execute()
    const last = rows.length < limit ? null : (rows.at(-1)?.id ?? null)
    if (rows.length > 0) await readNamesAgain(app, await findWrong(app, rows))
    await app.db
      .updateTable('nameCheck')
      .set(last === null ? { position: '', finishedAt: app.now() } : { position: last })
      .where('id', '=', checkId)
      .execute()
    return last
  })
}

/** @returns the id after which the check continues; null when the last one has finished recently */
async function startCheck(app: App): Promise<string | null> {
  const checks = app.db.selectFrom('nameCheck').selectAll().where('id', '=', checkId)
  const check = await checks.executeTakeFirst()
  if (!check) {
    const first = { id: checkId, position: '', finishedAt: null }
    await insertUnlessExists(app, app.db.insertInto('nameCheck').values(first))
    return ''
  }
  const isDue = check.finishedAt === null || app.now().getTime() - check.finishedAt.getTime() >= checkEveryMs
  return check.position !== '' || isDue ? check.position : null
}

async function findWrong(app: App, users: readonly (Named & { readonly sortName: string | null })[]): Promise<readonly Named[]> {
  const stored = await findWords(app, users)
  return users.filter(({ id, name, sortName }) => sortName !== sortNameOf(name) || !isSameSet(stored.get(id), wordsOf(name)))
}

export const nameCheckJob: Job = { every: 300, run: checkNames }

/** Words of a search that are compared. */
const mostSearched = 8

/** The starts of words of a name that a search finds: the longest first, because few names have it. */
export function searchedWords(text: string): string[] {
  const words = wordsOf(text).sort((one, other) => other.length - one.length)
  // A name with a word has its start too.
  return words.filter((word, at) => !words.slice(0, at).some((longer) => longer.startsWith(word))).slice(0, mostSearched)
}

/** A row of `userWord` under another name. */
export const wordsAs = (name: string) => sql`${sql.table('userWord')} as ${sql.ref(name)}`
