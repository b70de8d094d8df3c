/** What bars at the top of the administrators' pages say: read often, by every open page, so that processes share one result. */
import { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import { permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { isAdministered as exists } from './errors.ts'
import { attempt } from './health.ts'
import { describeMigrations, migrationState } from './system.ts'

const warnings = z.object({
  isReadOnly: z.boolean().nullable().describe('Whether the database accepts no writes; null: not known'),
  configurationChangedAt: isoDate
    .nullable()
    .describe('When the configuration was changed after this daemon loaded it; null: it was not, or that is not known'),
  migrations: migrationState.nullable().describe('As in `/admin/migrations`; null: not known'),
})
type Warnings = z.input<typeof warnings>

/** Milliseconds for which a process uses what it has read: reading the state of the migrations takes tens of milliseconds. */
const lifetimeMs = 30_000

interface Known {
  readonly at: number
  readonly read: Promise<Warnings>
}
const knownOf = memo((_: App): { known: Known | null } => ({ known: null }))

/** Concurrent calls share one reading. */
function readWarnings(app: App): Promise<Warnings> {
  const cache = knownOf(app)
  const at = app.now().getTime()
  if (!cache.known || Math.abs(at - cache.known.at) >= lifetimeMs) cache.known = { at, read: findWarnings(app) }
  return cache.known.read
}

/** A part that does not respond is not known. */
async function findWarnings(app: App): Promise<Warnings> {
  const { installation } = app
  const [database, configurationChangedAt, migrations] = await Promise.all([
    attempt(app, 'database', async () => installation?.database()),
    attempt(app, 'configuration', async () => installation?.findChange()),
    attempt(app, 'migrations', async () => installation?.migrations()),
  ])
  return {
    isReadOnly: database?.isReadOnly ?? null,
    configurationChangedAt: configurationChangedAt ?? null,
    migrations: migrations ? describeMigrations(migrations).state : null,
  }
}

export const warningRoutes = {
  'GET /admin/warnings': route({
    summary: 'Get the warnings of the instance',
    description:
      'Returns what administrators must know on every page: whether the database is read-only, the configuration has changed since it was loaded, and migrations are pending or drifted. A daemon reads it every 30 seconds at most, so pages may repeat the call each minute. Only for users whose role permits `system:read`.',
    access: permission({ system: ['read'] }),
    exists,
    returns: warnings,
    handler: (ctx) => readWarnings(ctx),
  }),
}
