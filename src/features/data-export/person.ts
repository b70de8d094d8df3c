/** Everything that Latchkey stores about a person, and its erasure (GDPR articles 15, 17 and 20). */
import { type App, memo } from '../../core/app.ts'
import { emit } from '../../core/events.ts'
import { isAfter } from '../../core/pages.ts'
import type { UserRow } from '../../core/request.ts'
import { columnsOf, mergeTables, type Tables } from '../../core/table.ts'
import { transaction } from '../../core/transaction.ts'
import { type EventRow, flushDenials, isByOther, recordEvent } from '../audit/index.ts'
import type { DeclaredTables } from '../index.ts'
import { deleteUser, lockUser } from '../users/index.ts'

/** The tables whose rows belong to one user, and end with them, with the column that refers to the user. */
export const tablesOfUser = (tables: Tables): { readonly table: string; readonly column: string }[] =>
  Object.entries(tables).flatMap(([table, columns]) => {
    const [column] = Object.keys(columns).filter((name) => {
      const { table: target, onDelete } = columns[name]?.references ?? {}
      return target === 'user' && onDelete === 'cascade'
    })
    return column === undefined ? [] : [{ table, column }]
  })

const exportedTables = memo(({ features }: App) => tablesOfUser(mergeTables(features)))

/** The rows of each table that belong to a user. The sessions of administrators who impersonate them have data of those. */
export async function readOwnRows(app: App, user: UserRow): Promise<Readonly<Record<string, readonly object[]>>> {
  const rows: [string, readonly object[]][] = []
  for (const { table, column } of exportedTables(app)) {
    const owned = app.db.selectFrom(table as keyof DeclaredTables).selectAll()
    const found = await owned.where(column as never, '=', user.id as never).execute()
    rows.push([table, found.filter((row) => !Reflect.get(row, 'impersonatedBy'))])
  }
  return Object.fromEntries(rows)
}

/** Events read in one query. */
const batchSize = 1000

const eventColumns = [
  'id',
  'createdAt',
  'action',
  'outcome',
  'actorKind',
  'actorId',
  'impersonatedBy',
  'targetType',
  'targetId',
  'userId',
  'organizationId',
  'ipAddress',
  'requestId',
  'details',
] as const

type EventColumns = Pick<EventRow, (typeof eventColumns)[number]>

/**
 * The events of a user, in batches. IP addresses and devices of other users, such as an administrator who impersonates the
 * user, are left out.
 * @param relation `by`: those that the user caused; `about`: those that others caused
 */
export async function* streamEvents(app: App, { id }: Pick<UserRow, 'id'>, relation: 'by' | 'about') {
  await flushDenials(app)
  const first = { createdAt: new Date('9999-12-31T23:59:59.999Z'), id: '' }
  for (let before: { readonly createdAt: Date; readonly id: string } | null = first; before !== null; ) {
    const rows = await readEvents(app, id, relation, before)
    if (rows.length > 0) yield rows.map((row) => (isByOther(row, id) ? withoutClient(row) : row))
    before = rows.length < batchSize ? null : (rows.at(-1) ?? null)
  }
}

function withoutClient(row: EventColumns): EventColumns {
  const { device: _, ...details } = row.details
  return { ...row, ipAddress: null, details }
}

/** Newest first. */
const readEvents = (
  { db }: App,
  userId: string,
  relation: 'by' | 'about',
  { createdAt, id }: { readonly createdAt: Date; readonly id: string },
) =>
  db
    .selectFrom('auditEvent')
    .select(eventColumns)
    .where(relation === 'by' ? 'actorId' : 'userId', '=', userId)
    .$if(relation === 'about', (events) => events.where((eb) => eb.or([eb('actorId', 'is', null), eb('actorId', '!=', userId)])))
    .where(isAfter(['createdAt', 'id'], [createdAt, id], 'desc'))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(batchSize)
    .execute()

/** The emails and text messages to a user that are still stored, without their content. */
export const readMails = (app: App, { email, phoneNumber }: Pick<UserRow, 'email' | 'phoneNumber'>) =>
  app.db
    .selectFrom('outbox')
    .select(['id', 'kind', 'recipient', 'createdAt', 'sentAt', 'failedAt'])
    // Without the feature there is no number.
    .where('recipient', 'in', phoneNumber ? [email, phoneNumber] : [email])
    .orderBy('createdAt')
    .execute()

/** The invitations to a user's email address. */
export const readInvitations = (app: App, { email }: Pick<UserRow, 'email'>) =>
  app.config.organization.enabled
    ? app.db
        .selectFrom('invitation')
        .select(['id', 'organizationId', 'email', 'role', 'status', 'expiresAt', 'createdAt'])
        .where('email', '=', email)
        .orderBy('createdAt')
        .execute()
    : []

/** Every column but credentials and internal ones, also those that responses do not contain. */
function describeRow(app: App, table: string, row: object): object {
  const columns = columnsOf(app, table)
  const described = Object.entries(row).filter(([name]) => columns[name] && !columns[name].secret && !columns[name].internal)
  return Object.fromEntries(described)
}

/**
 * Everything that is stored about a user, as the text of one JSON document in parts, so that it needs constant memory.
 * @param options.maxEvents events of each kind at most; default: all
 */
export async function* exportPerson(
  app: App,
  user: UserRow,
  { maxEvents = Number.POSITIVE_INFINITY }: { readonly maxEvents?: number } = {},
): AsyncGenerator<string, void, undefined> {
  yield `{"schema":"privacy-export/v1","exportedAt":${JSON.stringify(app.now())}`
  yield `,"user":${JSON.stringify(describeRow(app, 'user', user))}`
  for (const [table, rows] of Object.entries(await readOwnRows(app, user)))
    yield `,${JSON.stringify(table)}:${JSON.stringify(rows.map((row) => describeRow(app, table, row)))}`
  yield `,"invitations":${JSON.stringify(await readInvitations(app, user))}`
  yield `,"mails":${JSON.stringify(await readMails(app, user))}`
  for (const relation of ['by', 'about'] as const) {
    yield `,"events${relation === 'by' ? 'By' : 'About'}":[`
    let written = 0
    for await (const batch of streamEvents(app, user, relation)) {
      const rows = batch.slice(0, maxEvents - written)
      yield `${written > 0 ? ',' : ''}${rows.map((row) => JSON.stringify(row)).join(',')}`
      written += rows.length
      if (written >= maxEvents) break
    }
    yield ']'
  }
  yield '}'
}

interface Erasure {
  readonly reason?: string | undefined
  readonly check?: (tx: App) => Promise<unknown>
}

/**
 * Deletes a user and what only their email address or id connects to them. Audit events stay, and name them by id only.
 * @param reason kept in the audit log
 * @param check first, in the transaction; throws to reject the erasure
 * @returns false when there is no such user
 * @throws ApiError YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER
 */
export const eraseUser = (app: App, user: UserRow, { reason, check }: Erasure = {}): Promise<boolean> =>
  transaction(app, async (tx) => {
    await check?.(tx)
    if (!(await lockUser(tx, user.id))) return false
    await emit(tx, 'user.erasing', { user })
    if (!(await deleteUser(tx, user.id, false))) return false
    const details = reason === undefined ? {} : { reason }
    await recordEvent(tx, { action: 'user.erased', target: { type: 'user', id: user.id }, details })
    return true
  })
