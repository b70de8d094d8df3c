import type { SeedResult } from '../core/feature.ts'
import { command, flag } from './command.ts'
import type { Palette } from './output.ts'

export const seed = command('seed', 'Create the declared roles and administrators', {
  description:
    'Creates and updates the roles and administrators in the section `seed` of the configuration. Repeated and concurrent runs are safe. Prints a setup link for each administrator without a password, once.',
  examples: ['latchkey seed --dry-run', 'latchkey seed', 'ADMIN_PASSWORD_FILE=/run/secrets/admin latchkey seed --json'],
  options: {
    dryRun: flag('-n, --dry-run', 'Only print the changes'),
    prune: flag('--prune', 'Also delete roles that are no longer declared'),
  },
  usesDatabase: true,
  deadline: 120,
  action: async (context) => {
    const { options, output, env } = context
    const { dryRun, prune } = options
    const { readEnvironment } = await import('../project/environment.ts')
    const { app } = await context.openReadyApp({ mode: dryRun ? 'read' : 'write' })
    const results: SeedResult[] = []
    for (const feature of app.features) {
      results.push(...((await feature.seed?.(app, { dryRun, prune, readSecret: (name) => readEnvironment(env, name) })) ?? []))
    }
    const counts = count(results)
    output.result('seed/v1', { dryRun, ...counts, results }, [
      ...results.flatMap((result) => describe(result, output.paint)),
      `${dryRun ? 'Would be: ' : ''}${counts.created} created, ${counts.changed} changed, ${counts.unchanged} unchanged, ${counts.removed} removed`,
    ])
    if (results.some(({ setupLink }) => setupLink)) output.info('Each link works once and is not printed again.')
    else if (!dryRun) output.info('Next: latchkey start')
  },
})

function count(results: readonly SeedResult[]): Record<SeedResult['outcome'], number> {
  const counts = { created: 0, changed: 0, unchanged: 0, removed: 0 }
  for (const { outcome } of results) counts[outcome] += 1
  return counts
}

function describe({ kind, name, outcome, detail, setupLink }: SeedResult, paint: Palette): string[] {
  const marks = { created: paint.green('+'), changed: paint.yellow('~'), unchanged: paint.dim('='), removed: paint.red('-') }
  const line = `${marks[outcome]} ${kind} ${name}${outcome === 'unchanged' ? paint.dim(' unchanged') : ''}${detail ? `: ${detail}` : ''}`
  return setupLink ? [line, `  set a password at ${paint.bold(setupLink)}`] : [line]
}
