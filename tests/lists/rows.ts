/** A hundred thousand rows in each table that a list reads, by few statements. */
import { type RawBuilder, sql } from 'kysely'
import type { App } from '../../src/core/app.ts'

/** In every table. */
export const rowCount = 100_000
/** Members of the largest organization. */
export const memberCount = 20_000

const digits = sql.raw(Array.from({ length: 10 }, (_, digit) => `select ${digit} as d`).join(' union all '))
const numbers = sql`(select a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d as n
  from (${digits}) a, (${digits}) b, (${digits}) c, (${digits}) e, (${digits}) f) numbers`
const n = sql.raw('numbers.n')

/** As random as real ids, and the same in each run. */
const idOf = (table: string, number: RawBuilder<unknown> | number) =>
  sql<string>`left(sha2(concat(${table}, ' ', ${number}), 256), 32)`

const secondsAgo = (number: RawBuilder<unknown>, now: Date) => sql`date_sub(${now}, interval ${number} second)`

type Values = Readonly<Record<string, RawBuilder<unknown>>>

async function insert({ db }: App, table: string, count: number, values: Values): Promise<void> {
  const names = Object.keys(values).map((name) => sql.ref(name))
  await sql`insert into ${sql.table(table)} (${sql.join(names)})
    select ${sql.join(Object.values(values))} from ${numbers} where ${n} < ${sql.lit(count)}`.execute(db)
}

/** One of each hundred. */
const isRare = sql`${n} % 100 = 7`

/**
 * What lists find hard: values that are rare, that all rows have, that only the oldest rows have, and pairs of frequent values that no
 * row has.
 */
async function insertUsers(app: App, now: Date): Promise<void> {
  const padded = sql`lpad(${n}, 6, '0')`
  const isOld = sql`${n} >= ${sql.lit(rowCount * 0.97)}`
  await insert(app, 'user', rowCount, {
    id: idOf('user', n),
    name: sql`concat('Name ', ${padded})`,
    sortName: sql`concat('name ', ${padded})`,
    email: sql`concat('user', ${padded}, '@example.com')`,
    // Unverified users have no account of github.
    emailVerified: sql`${n} % 5 <> 0`,
    image: sql`concat('https://images.example.com/', ${padded})`,
    createdAt: secondsAgo(n, now),
    updatedAt: secondsAgo(sql`(${n} * 7919 % 1000000)`, now),
    role: sql`case when ${n} % 10000 = 5 then 'admin' when ${isRare} then 'editor' else 'user' end`,
    banned: sql`if(${isOld}, true, if(${n} % 2 = 0, false, null))`,
    banReason: sql`if(${isOld}, concat('spam ', ${n} % 50), null)`,
    banExpires: sql`if(${isOld} and ${n} % 2 = 0, date_add(${now}, interval ${n} second), null)`,
    lockedAt: sql`if(${isRare}, ${secondsAgo(n, now)}, null)`,
    lockReason: sql`if(${isRare}, concat('reason ', ${n} % 50), null)`,
    lastSignInAt: sql`if(${n} % 3 = 0, null, ${secondsAgo(sql`(${n} * 104729 % 1000000)`, now)})`,
    username: sql`concat('user', ${padded})`,
    displayUsername: sql`concat('User', ${padded})`,
    phoneNumber: sql`if(${n} % 2 = 0, concat('+49151', ${padded}), null)`,
    isAnonymous: sql`if(${isRare}, true, null)`,
    twoFactorEnabled: sql`if(${n} % 3 = 0, true, if(${isRare}, false, null))`,
    company: sql`concat('Company ', ${n} % 1000)`,
    level: sql`${n} % 1000`,
    accessRevision: sql`0`,
  })
  for (const word of [sql`'name'`, padded]) await insert(app, 'userWord', rowCount, { word, userId: idOf('user', n) })
  // Every third user has a second factor that satisfies policies; half of the others has codes by email, which do not.
  await insert(app, 'twoFactor', rowCount, {
    id: idOf('twoFactor', n),
    userId: idOf('user', n),
    secret: sql`if(${n} % 3 = 0, 'secret', null)`,
    verified: sql`${n} % 3 = 0`,
    otpChannels: sql`if(${n} % 2 = 0, 'email', null)`,
    createdAt: sql`${now}`,
    updatedAt: sql`${now}`,
  })
  await insert(app, 'account', rowCount, {
    id: idOf('account', n),
    accountId: sql`concat(${n})`,
    providerId: sql`case when ${n} % 5 = 1 then 'github' when ${isRare} then 'gitlab' else 'credential' end`,
    userId: idOf('user', n),
    createdAt: sql`${now}`,
    updatedAt: sql`${now}`,
  })
}

async function insertOrganizations(app: App, now: Date): Promise<void> {
  const padded = sql`lpad(${n}, 6, '0')`
  await insert(app, 'organization', rowCount, {
    id: idOf('organization', n),
    name: sql`concat('Organization ', ${padded})`,
    slug: sql`concat('slug-', ${padded})`,
    sortName: sql`concat('organization ', ${padded})`,
    createdAt: secondsAgo(n, now),
    memberCount: sql`if(${n} = 0, ${sql.lit(memberCount)}, 1)`,
  })
  const isLarge = sql`${n} < ${sql.lit(memberCount)}`
  await insert(app, 'team', 100, {
    id: idOf('team', n),
    name: sql`concat('Team ', ${n})`,
    organizationId: idOf('organization', 0),
    createdAt: secondsAgo(n, now),
  })
  await insert(app, 'member', rowCount, {
    id: idOf('member', n),
    organizationId: idOf('organization', sql`if(${isLarge}, 0, ${n})`),
    userId: idOf('user', n),
    role: sql`if(${n} = 0, 'owner', if(${isRare}, 'admin', 'member'))`,
    teamId: sql`if(${isLarge} and ${n} % 3 = 0, ${idOf('team', sql`${n} % 100`)}, null)`,
    createdAt: secondsAgo(n, now),
  })
  await insert(app, 'teamMember', rowCount, {
    id: idOf('teamMember', n),
    teamId: idOf('team', sql`${n} % 100`),
    userId: idOf('user', n),
    memberId: idOf('member', n),
    createdAt: secondsAgo(n, now),
  })
  await insert(app, 'invitation', rowCount, {
    id: idOf('invitation', n),
    organizationId: idOf('organization', sql`if(${isLarge}, 0, ${n})`),
    email: sql`concat('invited', ${padded}, '@example.com')`,
    role: sql`'member'`,
    status: sql`case when ${isRare} then 'pending' when ${n} % 3 = 0 then 'canceled' else 'accepted' end`,
    expiresAt: sql`date_add(${now}, interval if(${n} % 1000 = 7, 1, -1) day)`,
    inviterId: idOf('user', 0),
    createdAt: secondsAgo(n, now),
  })
}

async function insertEvents(app: App, now: Date): Promise<void> {
  await insert(app, 'auditEvent', rowCount, {
    id: idOf('event', n),
    createdAt: secondsAgo(n, now),
    action: sql`case when ${isRare} then 'user.banned' when ${n} % 3 = 0 then 'sign-in.failed' else 'user.signed-in' end`,
    // No event of an operator has failed.
    outcome: sql`case when ${n} % 3 = 0 then 'failed' when ${isRare} then 'denied' else 'succeeded' end`,
    actorKind: sql`case when ${n} % 3 = 1 then 'operator' else 'user' end`,
    actorId: sql`if(${n} % 3 = 1, null, ${idOf('user', sql`if(${n} % 2 = 0, 0, ${n})`)})`,
    userId: idOf('user', sql`${n} % 2`),
    targetType: sql`case when ${n} % 10000 = 5 then 'apikey' when ${n} % 2 = 0 then 'user' else 'session' end`,
    targetId: idOf('session', sql`${n} % 3`),
    organizationId: sql`if(${n} % 2 = 0, ${idOf('organization', 0)}, null)`,
    ipAddress: sql`concat('192.0.2.', ${n} % 4)`,
    requestId: sql`concat('request ', ${n} % 50000)`,
    details: sql`'{}'`,
    code: sql`''`,
  })
}

async function insertMails(app: App, now: Date): Promise<void> {
  const at = secondsAgo(n, now)
  const state = sql`${n} % 10`
  await insert(app, 'outbox', rowCount, {
    id: idOf('mail', n),
    kind: sql`if(${isRare}, 'notice', if(${n} % 2 = 0, 'verify-email', 'reset-password'))`,
    recipient: sql`if(${n} % 4 = 0, 'operations@example.com', concat('user', ${n}, '@example.com'))`,
    attempts: sql`1`,
    createdAt: at,
    nextAttemptAt: sql`if(${state} = 0, ${at}, null)`,
    sentAt: sql`if(${state} > 1, ${at}, null)`,
    failedAt: sql`if(${state} = 1, ${at}, null)`,
  })
}

async function insertLockouts(app: App, now: Date): Promise<void> {
  await insert(app, 'attempt', rowCount, {
    id: idOf('attempt', n),
    key: idOf('key', n),
    account: sql`concat('account ', ${n})`,
    failures: sql`5`,
    blockedUntil: sql`${now.getTime()} + 1000 * ${n}`,
    lastFailureAt: sql`${now.getTime()}`,
    expiresAt: sql`date_add(${now}, interval 1 day)`,
  })
}

async function insertAcceptances(app: App, now: Date): Promise<void> {
  await insert(app, 'termsAcceptance', rowCount, {
    id: idOf('acceptance', n),
    userId: idOf('user', n),
    document: sql`'privacy'`,
    // The highest numbers are the oldest.
    version: sql`case when ${isRare} then '3' when ${n} > ${rowCount / 2} then '1' else '2' end`,
    acceptedAt: secondsAgo(n, now),
  })
}

/** One of them has all the targets. */
async function insertBulkActions(app: App, now: Date): Promise<void> {
  const times = { createdAt: secondsAgo(n, now), expiresAt: sql`date_add(${now}, interval 1 day)` }
  await insert(app, 'bulkAction', rowCount, {
    ...times,
    id: idOf('bulkAction', n),
    action: sql`'ban'`,
    state: sql`'completed'`,
    input: sql`'{}'`,
    createdBy: idOf('user', n),
    idempotencyKey: idOf('key', n),
    total: sql`${rowCount}`,
  })
  await insert(app, 'bulkActionTarget', rowCount, {
    id: idOf('target', n),
    bulkActionId: idOf('bulkAction', 0),
    userId: idOf('user', n),
    outcome: sql`elt(1 + ${n} % 3, 'done', 'failed', 'skipped')`,
    expiresAt: times.expiresAt,
  })
}

async function insertApplicants(app: App, now: Date): Promise<void> {
  const createdAt = secondsAgo(n, now)
  await insert(app, 'inviteLink', rowCount, {
    id: idOf('link', n),
    tokenHash: idOf('token', n),
    maxUses: sql`1`,
    uses: sql`${n} % 2`,
    createdAt,
    expiresAt: sql`date_add(${now}, interval 1 day)`,
  })
  await insert(app, 'waitingListEntry', rowCount, {
    id: idOf('applicant', n),
    email: sql`concat('applicant', lpad(${n}, 6, '0'), '@example.com')`,
    state: sql`case when ${isRare} then 'declined' when ${n} % 2 = 0 then 'waiting' else 'approved' end`,
    createdAt,
  })
}

export async function insertRows(app: App): Promise<void> {
  const now = app.now()
  await insertUsers(app, now)
  await insertOrganizations(app, now)
  await insertEvents(app, now)
  await insertMails(app, now)
  await insertLockouts(app, now)
  await insertBulkActions(app, now)
  await insertAcceptances(app, now)
  await insertApplicants(app, now)
  const ofUsers = ['user', 'account', 'organization', 'member', 'team', 'invitation']
  const tables = [...ofUsers, 'auditEvent', 'outbox', 'attempt', 'bulkAction', 'bulkActionTarget', 'termsAcceptance']
  await sql`analyze table ${sql.join(tables.map((table) => sql.table(table)))}`.execute(app.db)
}
