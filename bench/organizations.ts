/**
 * Compares calls in an organization with 10 members and in one with many, and lists of a user with 5 organizations and of one with
 * many. Both are in the same tables, and their users have the same rights.
 */
import { sql } from 'kysely'
import type { App } from '../src/core/app.ts'
import { openBenchApp } from './app.ts'
import { type Daemon, organizations, post, signUp, startDaemon } from './daemon.ts'
import { startFloor } from './floors.ts'
import { type Effort, interleave, median, type Round, type Target } from './load.ts'
import { print } from './report.ts'
import type { Storage } from './storage.ts'

const password = 'correct horse battery'
const few = { members: 10, organizations: 5 }
/** Rows inserted by one statement. */
const batch = 100_000
const digits = sql.raw(Array.from({ length: 10 }, (_, digit) => `select ${digit} as d`).join(' union all '))
const numbers = sql`(select a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d as n
  from (${digits}) a, (${digits}) b, (${digits}) c, (${digits}) e, (${digits}) f) numbers`

/** Users without a password who are members of an organization. */
async function addMembers(app: App, organizationId: string, slug: string, count: number): Promise<void> {
  const name = (kind: string) => sql`md5(concat(${`${kind} ${slug} `}, numbers.n))`
  for (let first = 0; first < count; first += batch) {
    const from = sql`${numbers} where numbers.n < ${Math.min(batch, count - first)}`
    await sql`insert into user (id, name, email, emailVerified, createdAt, updatedAt)
      select ${name('user')}, concat('Member ', numbers.n), concat(${slug}, numbers.n, '@example.com'), true, utc_timestamp(3), utc_timestamp(3)
      from ${from}`.execute(app.db)
    await sql`insert into member (id, organizationId, userId, role, createdAt)
      select ${name('member')}, ${organizationId}, ${name('user')}, 'member', utc_timestamp(3) - interval numbers.n second
      from ${from}`.execute(app.db)
  }
  await sql`update organization set memberCount = ${count + 1} where id = ${organizationId}`.execute(app.db)
}

/** Organizations in which a user is a member. */
async function addOrganizations(app: App, userId: string, slug: string, count: number): Promise<void> {
  const id = sql`md5(concat(${`organization ${slug} `}, numbers.n))`
  const from = sql`${numbers} where numbers.n < ${count}`
  await sql`insert into organization (id, name, slug, createdAt, memberCount)
    select ${id}, concat('Organization ', numbers.n), concat(${slug}, numbers.n), utc_timestamp(3), 1 from ${from}`.execute(
    app.db,
  )
  await sql`insert into member (id, organizationId, userId, role, createdAt)
    select md5(concat(${`own ${slug} `}, numbers.n)), ${id}, ${userId}, 'member', utc_timestamp(3) - interval numbers.n second
    from ${from}`.execute(app.db)
}

async function createOrganization(daemon: Daemon, cookie: string, slug: string): Promise<string> {
  const { url, headers, body } = post(daemon, '/organization/create', { name: slug, slug })
  const response = await fetch(url, { method: 'POST', headers: { ...headers, cookie }, body })
  const created = (await response.json()) as { readonly id: string }
  return created.id
}

async function targetsOf(
  daemon: Daemon,
  app: App,
  slug: string,
  size: { readonly members: number; readonly organizations: number },
) {
  const cookie = await signUp(daemon, `${slug}@example.com`, password)
  const organizationId = await createOrganization(daemon, cookie, slug)
  await addMembers(app, organizationId, slug, size.members - 1)
  const lister = await signUp(daemon, `lister-${slug}@example.com`, password)
  const { id } = await app.db
    .selectFrom('user')
    .select('id')
    .where('email', '=', `lister-${slug}@example.com`)
    .executeTakeFirstOrThrow()
  await addOrganizations(app, id, slug, size.organizations)
  const member = await app.db
    .selectFrom('member')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'member')
    .limit(1)
    .executeTakeFirstOrThrow()
  const get = (path: string, own = cookie): Target => ({ url: `${daemon.url}${path}`, pid: daemon.pid, headers: { cookie: own } })
  const send = (path: string, body: object): Target => {
    const target = post(daemon, path, body)
    return { ...target, headers: { ...target.headers, cookie } }
  }
  const whole = {
    'list-members with a search': get(`/organization/list-members?limit=10&search=${slug}5`),
    'list-memberships by name': get('/organization/list-memberships?limit=5', lister),
  }
  const targets = {
    'get-full-organization, 10 members': get('/organization/get-full-organization?membersLimit=10'),
    'get-active-member': get('/organization/get-active-member'),
    'has-permission': send('/organization/has-permission', { permissions: { member: ['create'] } }),
    'list-members, 10': get('/organization/list-members?limit=10'),
    'list-events, 10': get('/organization/list-events?limit=10'),
    'update-member-role': send('/organization/update-member-role', { memberId: member.id, role: 'member' }),
    'invite-member': send('/organization/invite-member', { email: 'guest-[<id>]@example.com', role: 'member' }),
    'list, 5 organizations': get('/organization/list?limit=5', lister),
  } satisfies Record<string, Target>
  return { targets, whole }
}

/** What reads all members, or all organizations of the user: one call after the other, so that others are not measured with it. */
async function measureWhole(small: Readonly<Record<string, Target>>, large: Readonly<Record<string, Target>>): Promise<void> {
  const milliseconds = async ({ url, headers = {} }: Target) => {
    const times: number[] = []
    for (let call = 0; call < 9; call += 1) {
      const startedAt = performance.now()
      await (await fetch(url, { headers })).text()
      times.push(performance.now() - startedAt)
    }
    return median(times).toFixed(0)
  }
  for (const [name, target] of Object.entries(small)) {
    const other = large[name]
    if (other) print(`${name}: ${await milliseconds(target)} and ${await milliseconds(other)} ms`)
  }
}

/** @param many size of the large organization, and number of organizations of the user who lists them */
export async function measureOrganizations(
  { freshDatabase }: Storage,
  effort: Effort,
  many: { readonly members: number; readonly organizations: number },
): Promise<void> {
  const database = await freshDatabase()
  const daemon = await startDaemon({ database, options: organizations })
  try {
    const { app, close } = await openBenchApp(database)
    const small = await targetsOf(daemon, app, 'small', few)
    const large = await targetsOf(daemon, app, 'large', many)
    await sql`analyze table user, member, organization`.execute(app.db)
    await close()
    const targets = Object.entries(small.targets).flatMap(([name, target]) => [
      [name, target],
      [`${name}, many`, large.targets[name as keyof typeof large.targets]],
    ])
    const whole = { ...small.targets['list, 5 organizations'], url: `${daemon.url}/organization/list` }
    const all = { 'bare node:http': await startFloor('bare.ts'), 'list of 5': whole, ...Object.fromEntries(targets) }
    printRatios(await interleave(all, effort), many)
    await measureWhole(small.whole, large.whole)
  } finally {
    await daemon.stop()
  }
}

function printRatios(
  taken: ReadonlyMap<string, readonly Round[]>,
  many: { readonly members: number; readonly organizations: number },
): void {
  const ratio = (one: string, other: string) =>
    median((taken.get(one) ?? []).map(({ cpu }, round) => cpu / (taken.get(other)?.[round]?.cpu ?? Number.NaN)))
  print(`bare node:http compared with organization/list of 5: ${ratio('bare node:http', 'list of 5').toFixed(2)} of the CPU time`)
  print(`${many.members} members and ${many.organizations} organizations compared with ${few.members} and ${few.organizations}:`)
  print('by calls per second / by CPU time of the daemon; failures')
  for (const [name, rounds] of taken) {
    const others = taken.get(`${name}, many`)
    if (!others) continue
    const bySpeed = median(rounds.map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? Number.NaN)))
    const failures = [...rounds, ...others].reduce((sum, round) => sum + round.failures, 0)
    print(`${name.padEnd(36)} ${bySpeed.toFixed(2)} / ${ratio(`${name}, many`, name).toFixed(2)}; ${failures}`)
  }
}
