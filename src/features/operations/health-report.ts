/** The response of the call about the health of the installation. */
import { z } from 'zod'
import { isoDate } from '../../core/schemas.ts'

const ids = ['database', 'redis', 'mail', 'jobs', 'audit', 'migrations', 'configuration', 'daemons', 'deletions'] as const

/** What a check found; pages have a sentence for each. */
const messages = [
  'responds',
  'slow',
  'no-response',
  'read-only',
  'pool-full',
  'not-configured',
  'evicts',
  'delivers',
  'caught',
  'failed-emails',
  'failing',
  'delayed',
  'on-time',
  'failed-jobs',
  'late',
  'intact',
  'unverified',
  'broken',
  'unnumbered',
  'current',
  'pending',
  'drifted',
  'changed',
  'alike',
  'different',
  'deleting',
] as const

const check = z.object({
  id: z.enum(ids),
  state: z.enum(['ok', 'warning', 'failed']),
  message: z.enum(messages),
  values: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .describe('Values for a sentence about it, such as a number of emails'),
})
export type Check = z.output<typeof check>

export const healthReport = z
  .object({
    checks: z.array(check),
    database: z.object({
      product: z
        .string()
        .nullable()
        .meta({ examples: ['MySQL 9.7.4'] }),
      latencyMs: z.number().nullable().describe('Milliseconds of a trivial query'),
      isReadOnly: z.boolean().nullable(),
      pool: z
        .object({ size: z.int(), active: z.int(), waiting: z.int() })
        .nullable()
        .describe('Connections of this process; null for an embedded database'),
    }),
    redis: z
      .object({ version: z.string().nullable(), latencyMs: z.number().nullable(), memoryPolicy: z.string().nullable() })
      .nullable()
      .describe('Null: not configured'),
    mail: z.object({
      isConfigured: z.boolean(),
      waiting: z.int().nullable(),
      failed: z.int().nullable(),
      oldestWaitingAt: isoDate.nullable(),
    }),
    jobs: z.object({ late: z.int(), failed: z.int() }).nullable(),
    workers: z
      .array(z.object({ host: z.string(), process: z.int(), generation: z.int() }))
      .nullable()
      .describe('Workers that serve now, of all daemons'),
    startedAt: isoDate.nullable().describe('When this worker loaded the configuration'),
    uptime: z.int().nullable().describe('Seconds since then'),
    node: z.string(),
    version: z.string().describe('Version of Latchkey'),
  })
  .meta({ title: 'Health' })
export type HealthReport = z.input<typeof healthReport>
