/** Users, their accounts and their sessions. */
import { emit } from '../../../core/events.ts'
import type { UserRow } from '../../../core/request.ts'
import { caseOf } from '../../../core/statement.ts'
import { columnsOf } from '../../../core/table.ts'
import { hasNoPassword, readImportedHash } from '../../../lib/imported-hashes.ts'
import { addressForm } from '../../../lib/text.ts'
import { recordPasswordSchemes } from '../../password-hashes/index.ts'
import { hashSessionToken } from '../../sessions/index.ts'
import { sealProviderToken } from '../../social-sign-in/index.ts'
import { insertUsers, replaceUser } from '../../users/index.ts'
import {
  changedColumns,
  type Draft,
  draftRow,
  type Kind,
  left,
  type MoveContext,
  openFormer,
  plainTable,
  referredId,
  rolesOf,
} from './kind.ts'
import { type SourceRow, type SourceValue, textOf, timeOf, truthOf } from './source.ts'

/** Contract 08, and in one Unicode form: two addresses that look the same are one. */
export const addressOf = (value: SourceValue | undefined): string => addressForm(textOf(value) ?? '')

export const users: Kind = {
  name: 'user',
  references: {},
  map: (context, row) => {
    const email = addressOf(row.email)
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) return left('the email address is none', 'email')
    const phoneNumber = textOf(row.phoneNumber)
    return draftRow(context, 'user', row, {
      ...{ email, name: textOf(row.name) ?? '', role: rolesOf(row.role) },
      ...{ emailVerified: isVerified(context, row), lastSignInAt: null },
      ...(row.username !== undefined && { username: textOf(row.username)?.toLowerCase() ?? null }),
      ...(phoneNumber !== null && truthOf(row.phoneNumberVerified) === true && verifiedNumber(context, phoneNumber)),
      ...customFields(context, row),
    })
  },
  insert: (tx, drafts) =>
    insertUsers(
      tx,
      drafts.map(({ columns }) => columns as unknown as UserRow),
    ),
  update: async (tx, draft) => {
    await replaceUser(tx, draft.id, changedColumns(draft, ['lastSignInAt', 'activity', 'accessRevision', 'sortName']))
  },
  remove: async (tx, ids) => {
    await plainTable('user').remove(tx, ids)
    for (const userId of ids) await emit(tx, 'user.deleted', { userId })
  },
}

/** The address of an anonymous user is a placeholder. */
const isVerified = ({ verifyEmails }: MoveContext, row: SourceRow): boolean =>
  (truthOf(row.emailVerified) ?? false) || (verifyEmails && truthOf(row.isAnonymous) !== true)

const verifiedNumber = ({ app }: MoveContext, number: string) =>
  'verifiedPhoneNumber' in columnsOf(app, 'user') ? { verifiedPhoneNumber: number } : {}

/** Lists and numbers of additional fields have the same form in both products. */
function customFields({ app }: MoveContext, row: SourceRow): Record<string, unknown> {
  const names = Object.entries(app.config.user.additionalFields).map(([name, { fieldName = name }]) => fieldName)
  const json = names.filter((name) => columnsOf(app, 'user')[name]?.kind === 'json' && textOf(row[name]) !== null)
  return Object.fromEntries(json.map((name) => [name, JSON.parse(textOf(row[name]) ?? 'null')]))
}

const tokenNames = ['accessToken', 'refreshToken', 'idToken'] as const
/** Hexadecimal digits of nonce and tag at least, or the mark of a version of the secret. */
const sealedForm = /^(\$ba\$\d+\$)?([\da-f]{2}){40,}$/i

/** Tokens are plain text, or encrypted by the secret since 1.7. */
function tokensOf(context: MoveContext, row: SourceRow): Record<string, string | null> {
  const entries = tokenNames.map((name) => {
    const text = textOf(row[name])
    if (text === null) return [name, null] as const
    const opened = sealedForm.test(text) ? openFormer(context, text) : null
    return [name, sealProviderToken(context.app, opened ?? text)] as const
  })
  return Object.fromEntries(entries)
}

const isURL = (text: string | null): boolean => text !== null && /^https?:/.test(text) && URL.canParse(text)

export const accounts: Kind = {
  name: 'account',
  references: { userId: { kind: 'user' } },
  map: (context, row) => {
    const userId = referredId(context, 'user', textOf(row.userId) ?? '')
    const isCredential = textOf(row.providerId) === 'credential'
    const text = textOf(row.password)
    const password = text === null || hasNoPassword(text) ? null : readPassword(context, text)
    if (password === undefined) return left('the password hash has a form that is not known', 'password')
    const issuer = textOf(row.issuer)
    return draftRow(context, 'account', row, {
      ...{ userId, password, accountId: isCredential ? userId : (textOf(row.accountId) ?? '') },
      ...{ issuer: isURL(issuer) ? issuer : null, mustReplacePassword: false, ...tokensOf(context, row) },
    })
  },
  ...plainTable('account', ['mustReplacePassword']),
}

function readPassword({ app }: MoveContext, text: string): string | undefined {
  return readImportedHash(text) ?? (app.config.emailAndPassword.password.verify === undefined ? undefined : text)
}

/** Before they are stored, so that failed sign-ins take as long as right ones from then on. */
export async function recordSchemes({ app }: MoveContext, drafts: readonly Draft[]): Promise<void> {
  const hashes = drafts.flatMap(({ columns }) => (typeof columns.password === 'string' ? [columns.password] : []))
  await recordPasswordSchemes(app, hashes)
}

const daySeconds = 86_400

export const sessions: Kind = {
  name: 'session',
  references: { userId: { kind: 'user' }, activeOrganizationId: { kind: 'organization', optional: true } },
  map: (context, row) => {
    const { app, now, zone } = context
    const [createdAt, expiresAt] = [timeOf(row.createdAt, zone), timeOf(row.expiresAt, zone, 'later')]
    if (textOf(row.impersonatedBy)) return left('an impersonation', 'impersonatedBy')
    if (expiresAt !== null && expiresAt <= now) return left('expired', 'expiresAt')
    const token = textOf(row.token) ?? ''
    if (token.length < 16) return left('the token is too short', 'token')
    const seconds = createdAt && expiresAt ? Math.round((expiresAt.getTime() - createdAt.getTime()) / 1000) : 0
    const ipAddress = textOf(row.ipAddress) ?? ''
    const draft = draftRow(context, 'session', row, {
      userId: referredId(context, 'user', textOf(row.userId) ?? ''),
      tokenHash: hashSessionToken(app, token),
      // Sessions that end with the browser last a day.
      remembered: seconds !== daySeconds || app.config.session.expiresIn === daySeconds,
      authenticatedAt: createdAt,
      ...{ ipAddress: ipAddress.length > 64 ? '' : ipAddress, userAgent: (textOf(row.userAgent) ?? '').slice(0, 1000) },
      ...{ acr: null, amr: null, strongUsedAt: null, signInMethod: null },
    })
    return 'left' in draft ? draft : { ...draft, more: { token } }
  },
  // Freshness and strength are of a sign-in, and stay.
  ...plainTable('session', ['authenticatedAt', 'acr', 'amr', 'strongUsedAt', 'signInMethod']),
  insert: async (tx, drafts, context) => {
    await plainTable('session').insert(tx, drafts, context)
    const latest = new Map<string, Date>()
    for (const { columns } of drafts) {
      const [userId, createdAt] = [String(columns.userId), columns.createdAt as Date]
      if ((latest.get(userId) ?? new Date(0)) < createdAt) latest.set(userId, createdAt)
    }
    const known = await tx.db
      .selectFrom('user')
      .select(['id', 'lastSignInAt'])
      .where('id', 'in', [...latest.keys()])
      .execute()
    const later = known.filter(({ id, lastSignInAt }) => (latest.get(id) ?? 0) > (lastSignInAt ?? 0)).map(({ id }) => id)
    if (later.length === 0) return
    await tx.db
      .updateTable('user')
      .set({ lastSignInAt: caseOf(later.map((id) => [id, latest.get(id)])) })
      .where('id', 'in', later)
      .execute()
  },
}
