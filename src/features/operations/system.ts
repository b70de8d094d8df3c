/** Configuration and migrations for operators: read only. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { Installation, MigrationReport } from '../../core/installation.ts'
import { permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { version } from '../../core/version.ts'
import { errors, isAdministered as exists } from './errors.ts'

/** @throws ApiError ONLY_KNOWN_TO_A_DAEMON */
export function installationOf({ installation }: Pick<App, 'installation'>): Installation {
  if (!installation) throw new ApiError(errors.ONLY_KNOWN_TO_A_DAEMON)
  return installation
}

const option = z.object({
  path: z.string().meta({ examples: ['session.expiresIn'] }),
  value: z.unknown().meta({ description: 'Null: not set. Secrets are redacted', examples: [86400] }),
  origin: z.string().describe('`file`, `default`, `environment NAME` or the name of a flag'),
  default: z.unknown().meta({ description: 'Null: no default', examples: [604800] }),
  description: z.string().nullable(),
})

export const migrationState = z.enum(['current', 'pending', 'drifted'])

export const systemRoutes = {
  'GET /admin/configuration': route({
    summary: 'Get the configuration',
    description:
      'Returns every option with its value and the origin of the value, as `latchkey config show --origin` does. Only for users whose role permits `system:read`.',
    access: permission({ system: ['read'] }),
    exists,
    returns: z.object({
      options: z.array(option),
      weaker: z
        .array(
          z.object({
            id: z.string().meta({ examples: ['limits-off'] }),
            path: z.string().meta({ examples: ['rateLimit.enabled'] }),
            message: z.string().meta({ examples: ['Rate limits are off: passwords and codes can be guessed without limit'] }),
            fix: z.string().meta({ examples: ['Remove `rateLimit.enabled`'] }),
          }),
        )
        .describe('Protections that are off or weaker than their defaults'),
      file: z.string().nullable().describe('Path of the configuration'),
      drift: z
        .object({ changedAt: isoDate })
        .nullable()
        .describe('The file was changed after this daemon loaded it; null when it was not'),
      loadedAt: isoDate,
      environment: z.string(),
      version: z.string().describe('Version of Latchkey'),
    }),
    errors: [errors.ONLY_KNOWN_TO_A_DAEMON],
    handler: async (ctx) => {
      const installation = installationOf(ctx)
      const { options, weaker, file } = installation.configuration()
      const changedAt = await installation.findChange()
      return {
        options: [...options],
        weaker: [...weaker],
        file,
        drift: changedAt && { changedAt },
        loadedAt: installation.startedAt,
        environment: ctx.config.environment,
        version,
      }
    },
  }),
  'GET /admin/migrations': route({
    summary: 'Get the state of the migrations',
    description:
      'Returns the migration files with their state, and differences between the database and the applied migrations, as `latchkey migrate status` does. Only for users whose role permits `system:read`.',
    access: permission({ system: ['read'] }),
    exists,
    returns: z.object({
      state: migrationState.describe('`pending`: there are changes to apply or to generate; `drifted`: the database differs'),
      keepsFiles: z.boolean().describe('False for an embedded database, which is updated at each start'),
      files: z.array(
        z.object({
          name: z.string().meta({ examples: ['0001_initial'] }),
          state: z.enum(['applied', 'pending', 'interrupted', 'edited', 'missing']),
          appliedAt: isoDate.nullable(),
          appliedBy: z.string().nullable(),
          duration: z.int().nullable().describe('Milliseconds'),
        }),
      ),
      pending: z.array(z.string()).describe('Names of files that are not applied'),
      ungenerated: z.array(z.string()).describe('Changes of the schema that are in no migration'),
      drift: z.array(
        z.object({
          path: z.string().meta({ examples: ['user.nickname'] }),
          message: z.string().meta({ examples: ['The column is missing'] }),
        }),
      ),
    }),
    errors: [errors.ONLY_KNOWN_TO_A_DAEMON],
    handler: async (ctx) => describeMigrations(await installationOf(ctx).migrations()),
  }),
}

/** The report with its state and the names of the pending files. */
export function describeMigrations({ keepsFiles, files, ungenerated, drift }: MigrationReport) {
  const pending = files.filter(({ state }) => state === 'pending' || state === 'interrupted').map(({ name }) => name)
  const differs = drift.length > 0 || files.some(({ state }) => state === 'edited' || state === 'missing')
  const state: z.output<typeof migrationState> = differs
    ? 'drifted'
    : pending.length > 0 || ungenerated.length > 0
      ? 'pending'
      : 'current'
  return { state, keepsFiles, files: [...files], pending, ungenerated: [...ungenerated], drift: [...drift] }
}
