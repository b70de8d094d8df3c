/** The alert rules name metrics and labels that exist, and each fires from the state that it is about. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { createGauges } from '../../src/adapters/gauges.ts'
import { countLines, createMetrics, watchState } from '../../src/adapters/metrics.ts'
import { type App, extend } from '../../src/core/app.ts'
import { sweep } from '../../src/core/sweep.ts'
import { createSupervisorMetrics } from '../../src/daemon/status-report.ts'
import { featureList } from '../../src/features/index.ts'
import { recordJobEnd, recordJobStart } from '../../src/features/operations/index.ts'
import { testApp } from '../kit/app.ts'
import { root } from './source.ts'

const rule = z.object({
  alert: z.string().regex(/^Latchkey[A-Z]\w+$/),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.object({ severity: z.enum(['critical', 'warning']) }),
  annotations: z.object({ summary: z.string(), action: z.string() }),
})
const { rules } = z
  .object({ groups: z.tuple([z.object({ name: z.string(), rules: z.array(rule) })]) })
  .parse(parse(readFileSync(join(root, 'deploy/prometheus-rules.yml'), 'utf8'))).groups[0]

/** The forms that the rules use: a metric, the time since one, or the growth of a counter, compared with a number. */
const form =
  /^(?<since>time\(\) - )?(?<growth>increase\()?(?<name>\w+)(?:\{(?<label>\w+)="(?<value>\w+)"\})?(?:\[\w+\]\))? (?<sign>[<>]) (?<bound>\d+)$/
const read = (expr: string) => form.exec(expr)?.groups ?? {}

const emptyPool = { workers: new Map() } as unknown as Parameters<typeof createSupervisorMetrics>[0]

interface Sample {
  readonly name: string
  readonly labels: string
  readonly value: number
}
const samplesOf = (text: string): Sample[] =>
  [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels,
    value: Number(value),
  }))

/** Whether a rule fires on these samples; counters started at zero. */
function fires({ expr }: { readonly expr: string }, samples: readonly Sample[], now: Date): boolean {
  const { since, name, label, value: wanted, sign, bound } = read(expr)
  return samples
    .filter((sample) => sample.name === name && (label === undefined || sample.labels.includes(`${label}="${wanted}"`)))
    .map(({ value }) => (since ? now.getTime() / 1000 - value : value))
    .some((value) => (sign === '>' ? value > Number(bound) : value < Number(bound)))
}
const firing = (samples: readonly Sample[], now: Date) =>
  rules.filter((each) => fires(each, samples, now)).map(({ alert }) => alert)

async function declaredMetrics(): Promise<Map<string, readonly string[]>> {
  const registry = new Registry()
  watchState(registry, { pool: () => null, isFallback: () => false })
  const registries = [registry, createMetrics().registry, createSupervisorMetrics(emptyPool, () => false).registry]
  const found = registries.flatMap((each) =>
    each
      .getMetricsAsArray()
      .map((metric) => [metric.name, 'labelNames' in metric ? (metric.labelNames as string[]) : []] as const),
  )
  const gauges = Object.values(featureList).flatMap(({ gauges }) => Object.entries(gauges?.declared ?? {}))
  return new Map([
    ...found,
    ...gauges.map(([name, { labels = [] }]) => [`latchkey_${name}`, labels] as const),
    ['latchkey_measurement_failed', ['feature']],
  ])
}

describe('deploy/prometheus-rules.yml', () => {
  test('names metrics and labels that exist', async () => {
    const declared = await declaredMetrics()
    for (const { alert, expr, annotations } of rules) {
      const { name = '', label } = read(expr)
      const labels = declared.get(name)
      expect(labels, `${alert}: ${expr}`).toBeDefined()
      const shown = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, each]) => each)
      expect(labels, alert).toEqual(expect.arrayContaining([...shown, ...(label ? [label] : [])]))
    }
  })

  test('docs/operations.md describes every metric', async () => {
    const docs = readFileSync(join(root, 'docs/operations.md'), 'utf8')
    const own = [...(await declaredMetrics()).keys()].filter((name) => !/^latchkey_(supervisor_)?(process|nodejs)_/.test(name))
    expect(own.filter((name) => !docs.includes(`\`${name.replace('latchkey_', '')}\``))).toEqual([])
  })

  test('no alert fires on a new installation', async () => {
    const { app, clock } = await testApp()
    expect(firing(samplesOf(await createGauges(app, false)()), clock.now())).toEqual([])
  })

  test('late and failing jobs, failed and overdue messages, and a broken or unnumbered audit log fire', async () => {
    const { app, clock } = await testApp()
    await breakInstallation(app)
    const found = firing(samplesOf(await createGauges(app, false)()), new Date(clock.now().getTime() + 4 * 86_400_000))
    expect(found).toEqual([
      'LatchkeyMessagesOverdue',
      'LatchkeyMessagesFailed',
      'LatchkeyJobLate',
      'LatchkeyJobFailing',
      'LatchkeyAuditBroken',
      'LatchkeyAuditUnnumbered',
      'LatchkeyAuditUnverified',
    ])
  })

  test('a database without a table fires for the feature that cannot be measured', async () => {
    const { app, clock } = await testApp()
    await app.db.schema.dropTable('outbox').execute()
    const samples = samplesOf(await createGauges(app, false)())
    expect(firing(samples, clock.now())).toEqual(['LatchkeyMeasurementFailed'])
    expect(samples).toContainEqual({ name: 'latchkey_measurement_failed', labels: 'feature="outbox"', value: 1 })
  })

  test('counters and the state of a process fire', async () => {
    const { app, clock } = await testApp()
    const { metrics, registry } = createMetrics()
    watchState(registry, { pool: () => ({ size: 10, active: 10, waiting: 3 }), isFallback: () => true })
    for (let count = 0; count < 6; count += 1) metrics.count('delivery', { medium: 'email', outcome: 'retried' })
    metrics.count('database_unavailable')
    metrics.count('audit_discarded', {}, 7)
    countLines(app.log, metrics).child({}).error({}, 'An error')
    for (let run = 0; run < 13; run += 1) {
      let isFirst = true
      const now = () => {
        const minutes = isFirst ? 0 : 5
        isFirst = false
        return new Date(minutes * 60_000)
      }
      const slow: App = extend(app, { metrics, now })
      await sweep(slow, AbortSignal.timeout(60_000), 0, async (from) => from + 1)
    }
    const supervisor = createSupervisorMetrics(emptyPool, () => true)
    const text = (await registry.metrics()) + (await supervisor.registry.metrics())
    expect(firing(samplesOf(text), clock.now())).toEqual([
      'LatchkeyNoWorker',
      'LatchkeyReloadFailed',
      'LatchkeyDatabaseUnavailable',
      'LatchkeyConnectionsWaiting',
      'LatchkeyRateLimitFallback',
      'LatchkeyMessagesRetried',
      'LatchkeyCleanupUnfinished',
      'LatchkeyAuditDiscarded',
      'LatchkeyErrorsLogged',
    ])
  })
})

async function breakInstallation(app: App): Promise<void> {
  const { recordEvent, verifyEvents } = await import('../../src/features/audit/index.ts')
  await recordEvent(app, { action: 'limits.reset' })
  await recordEvent(app, { action: 'limits.reset' })
  await verifyEvents(app)
  await app.db.updateTable('auditEvent').set({ action: 'mail.retried' }).where('sequence', '=', 1).execute()
  await verifyEvents(app)
  const hourAgo = new Date(app.now().getTime() - 3_600_000)
  await app.db.updateTable('auditEvent').set({ createdAt: hourAgo }).where('sequence', 'is', null).execute()
  const mail = { kind: 'reset-password', recipient: 'ann@example.com', createdAt: hourAgo }
  await app.db
    .insertInto('outbox')
    .values([
      { ...mail, id: 'waiting', nextAttemptAt: hourAgo },
      { ...mail, id: 'failed', failedAt: hourAgo },
    ])
    .execute()
  await recordJobStart(app, 'audit.chain')
  await recordJobEnd(app, 'audit.chain', { error: new Error('broken') })
  await app.db.updateTable('jobRun').set({ startedAt: hourAgo, finishedAt: hourAgo }).execute()
}
