/** The health of the installation. Each check has a deadline, so that the call responds when a part hangs. */
import { sql } from 'kysely'
import type { App } from '../../core/app.ts'
import type { Installation } from '../../core/installation.ts'
import { permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { version } from '../../core/version.ts'
import { withDeadline } from '../../lib/async.ts'
import { readAuditStatus, readErasures, readUnnumbered } from '../audit/index.ts'
import { readDeletions } from '../organizations/index.ts'
import { type OutboxState, readOutbox } from '../outbox/index.ts'
import { isAdministered as exists } from './errors.ts'
import { type Check, type HealthReport, healthReport } from './health-report.ts'
import { listJobs } from './job-runs.ts'
import { describeMigrations } from './system.ts'

export const healthRoutes = {
  'GET /admin/health': route({
    summary: 'Get the health of the installation',
    description:
      'Checks the database, Redis, emails, jobs, migrations and the configuration, and responds within two seconds. Only for users whose role permits `system:read`.',
    access: permission({ system: ['read'] }),
    exists,
    returns: healthReport,
    handler: (ctx) => readHealth(ctx),
  }),
}

/** Milliseconds for a trivial query, which is measured alone, and then for all parts: the call responds within two seconds. */
const [queryDeadlineMs, deadlineMs] = [500, 1300]
/** Milliseconds after which a response counts as slow: every request waits for several of them. */
const slowMs = 100
/** Milliseconds that an email may be due before it counts as delayed. */
const delayMs = 300_000

type State = Check['state']
type Message = Check['message']

const found = (id: Check['id'], state: State, message: Message, values: Check['values'] = {}): Check => ({
  id,
  state,
  message,
  values,
})

/** @returns null when the work fails or takes too long; the failure is logged */
export async function attempt<T>(app: App, part: Check['id'], work: () => Promise<T>, timeoutMs = deadlineMs): Promise<T | null> {
  try {
    return await withDeadline(work(), timeoutMs, 'No response in time')
  } catch (error) {
    app.log.warn({ err: error, part }, 'A part of the installation does not respond')
    return null
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return Math.round((performance.now() - startedAt) * 10) / 10
}

async function readHealth(app: App): Promise<HealthReport> {
  const { installation } = app
  const latencyMs = await attempt(app, 'database', () => timed(() => sql`select 1`.execute(app.db)), queryDeadlineMs)
  const [database, redis, mail, jobs, audit, deletions, migrations, changedAt, workers, differences] = await Promise.all([
    readDatabase(app, latencyMs),
    readRedis(app),
    readMail(app),
    readJobs(app),
    readAudit(app),
    checkDeletions(app),
    readMigrations(app),
    attempt(app, 'configuration', async () => ({ at: (await installation?.findChange()) ?? null })),
    attempt(app, 'database', async () => installation?.workers()),
    attempt(app, 'database', async () => installation?.differences()),
  ])
  const startedAt = installation?.startedAt ?? null
  return {
    checks: [
      database.check,
      redis.check,
      mail.check,
      jobs.check,
      audit,
      migrations,
      checkConfiguration(changedAt),
      ...checkDaemons(workers, differences),
      ...deletions,
    ],
    database: database.report,
    redis: redis.report,
    mail: mail.report,
    jobs: jobs.report,
    workers: workers ? [...workers] : null,
    startedAt,
    uptime: startedAt && Math.max(0, Math.round((app.now().getTime() - startedAt.getTime()) / 1000)),
    node: process.versions.node,
    version,
  }
}

async function readDatabase(app: App, latencyMs: number | null) {
  const server = await attempt(app, 'database', async () => app.installation?.database())
  const report = {
    product: server?.product ?? null,
    latencyMs,
    isReadOnly: server?.isReadOnly ?? null,
    pool: server?.pool ?? null,
  }
  return { report, check: checkDatabase(report) }
}

function checkDatabase({ latencyMs, isReadOnly, pool }: HealthReport['database']): Check {
  if (latencyMs === null) return found('database', 'failed', 'no-response')
  if (isReadOnly) return found('database', 'failed', 'read-only')
  if (pool && pool.waiting > 0) return found('database', 'warning', 'pool-full', { waiting: pool.waiting, size: pool.size })
  if (latencyMs > slowMs) return found('database', 'warning', 'slow', { latencyMs })
  return found('database', 'ok', 'responds', { latencyMs })
}

async function readRedis(app: App) {
  if (!app.config.redis.enabled) return { report: null, check: found('redis', 'ok', 'not-configured') }
  const [latencyMs, server] = await Promise.all([
    attempt(app, 'redis', () => timed(() => app.kv.ping())),
    attempt(app, 'redis', async () => app.installation?.redis?.()),
  ])
  const report = { version: server?.version ?? null, latencyMs, memoryPolicy: server?.memoryPolicy ?? null }
  return { report, check: checkRedis(report) }
}

/** Without Redis, limits are counted in memory. */
function checkRedis({ latencyMs, memoryPolicy }: NonNullable<HealthReport['redis']>): Check {
  if (latencyMs === null) return found('redis', 'warning', 'no-response')
  if (memoryPolicy !== null && memoryPolicy !== 'noeviction') return found('redis', 'warning', 'evicts', { memoryPolicy })
  if (latencyMs > slowMs) return found('redis', 'warning', 'slow', { latencyMs })
  return found('redis', 'ok', 'responds', { latencyMs })
}

async function readMail(app: App) {
  const { mail } = app.config
  const isConfigured = mail.enabled || app.mailer !== null
  const states = await attempt(app, 'mail', () => readOutbox(app))
  const sum = (name: 'waiting' | 'failed') => states?.reduce((total, state) => total + state[name], 0) ?? null
  const oldest = states?.flatMap(({ oldestWaitingAt }) => oldestWaitingAt ?? []).sort((one, other) => Number(one) - Number(other))
  const report = { isConfigured, waiting: sum('waiting'), failed: sum('failed'), oldestWaitingAt: oldest?.[0] ?? null }
  return { report, check: checkMail(app, report, states ?? []) }
}

/** Whether nothing of this kind was delivered since a message failed for good. */
const isFailing = ({ lastFailedAt, lastSentAt }: OutboxState): boolean =>
  lastFailedAt !== null && (lastSentAt === null || lastSentAt < lastFailedAt)

function checkMail(app: App, { isConfigured, waiting, failed }: HealthReport['mail'], states: readonly OutboxState[]): Check {
  const { config, now } = app
  if (waiting === null || failed === null) return found('mail', 'failed', 'no-response')
  if (states.some(isFailing)) return found('mail', 'failed', 'failing', { failed })
  const before = now().getTime() - delayMs
  if (states.some(({ dueAt }) => dueAt && dueAt.getTime() < before)) return found('mail', 'failed', 'delayed', { waiting })
  if (failed > 0) return found('mail', 'warning', 'failed-emails', { failed })
  if (!isConfigured) return found('mail', 'warning', 'not-configured')
  return found('mail', 'ok', config.mail.enabled && config.mail.catch ? 'caught' : 'delivers', { waiting })
}

async function readJobs(app: App) {
  const jobs = await attempt(app, 'jobs', () => listJobs(app))
  if (jobs === null) return { report: null, check: found('jobs', 'failed', 'no-response') }
  const late = jobs.filter(({ isLate }) => isLate).length
  const failed = jobs.filter(({ lastOutcome }) => lastOutcome === 'failed').length
  return { report: { late, failed }, check: checkJobs(late, failed, jobs.length) }
}

function checkJobs(late: number, failed: number, jobs: number): Check {
  if (late > 0) return found('jobs', 'failed', 'late', { late })
  if (failed > 0) return found('jobs', 'failed', 'failed-jobs', { failed })
  return found('jobs', 'ok', 'on-time', { jobs })
}

/** The result of the last verification: a whole one may take minutes. */
async function readAudit(app: App): Promise<Check> {
  const read = async () => ({ ...(await readAuditStatus(app)), unnumbered: await readUnnumbered(app) })
  const status = await attempt(app, 'audit', read)
  if (status === null) return found('audit', 'failed', 'no-response')
  const { state, unnumbered } = status
  if (state === 'broken') return found('audit', 'failed', 'broken', { problems: status.problems.length })
  const isWaiting = unnumbered.oldestAt !== null && unnumbered.oldestAt.getTime() < app.now().getTime() - delayMs
  if (isWaiting) return found('audit', 'failed', 'unnumbered', { events: unnumbered.count })
  return found('audit', 'ok', state, { events: status.events })
}

/** Large deletions that go on after their call. Nothing when there is none. */
async function checkDeletions(app: App): Promise<Check[]> {
  const none = { organizations: 0, members: 0 }
  const read = async () => ({
    ...(app.config.organization.enabled ? await readDeletions(app) : none),
    ...(await readErasures(app)),
  })
  const left = await attempt(app, 'deletions', read)
  return left && left.organizations + left.users > 0 ? [found('deletions', 'ok', 'deleting', left)] : []
}

/** What the database knows of work that should happen by itself, for commands and monitoring. Each check has a deadline. */
export async function checkInstallation(app: App): Promise<Check[]> {
  const parts = [readMail(app), readJobs(app), readAudit(app), checkDeletions(app)] as const
  const [mail, jobs, audit, deletions] = await Promise.all(parts)
  return [mail.check, jobs.check, audit, ...deletions]
}

async function readMigrations(app: App): Promise<Check> {
  const { installation } = app
  if (!installation) return found('migrations', 'ok', 'current')
  const migrations = await attempt(app, 'migrations', () => installation.migrations())
  if (migrations === null) return found('migrations', 'warning', 'no-response')
  const { state, pending, ungenerated, drift } = describeMigrations(migrations)
  if (state === 'drifted') return found('migrations', 'warning', 'drifted', { differences: drift.length })
  if (state === 'pending') return found('migrations', 'warning', 'pending', { pending: pending.length + ungenerated.length })
  return found('migrations', 'ok', 'current')
}

type Reported<Name extends 'workers' | 'differences'> = Awaited<ReturnType<Installation[Name]>> | null | undefined

/** Nothing for a daemon that is alone. */
function checkDaemons(workers: Reported<'workers'>, differences: Reported<'differences'>): Check[] {
  const daemons = new Set(workers?.map(({ host, process }) => `${host} ${process}`))
  if (!differences || daemons.size < 2) return []
  if (differences.length === 0) return [found('daemons', 'ok', 'alike', { daemons: daemons.size })]
  const parts = [...new Set(differences.flatMap((difference) => difference.parts))]
  const others = differences.map(({ daemon }) => daemon)
  return [found('daemons', 'warning', 'different', { daemons: others.join(', '), parts: parts.join(', ') })]
}

function checkConfiguration(change: { readonly at: Date | null } | null): Check {
  if (change === null) return found('configuration', 'warning', 'no-response')
  return change.at ? found('configuration', 'warning', 'changed') : found('configuration', 'ok', 'current')
}
