import type { SeedResult } from '../../core/seed.ts'
import { command } from '../command.ts'
import { flag, seconds, waitForDatabaseOption } from '../inputs.ts'
import type { Palette } from '../output.ts'

export const seed = command({
  name: 'seed',
  summary: 'Write the declared roles and administrators',
  description:
    'What the section `seed` of the configuration declares is created or corrected; a second run finds nothing to do, and ten at once do no harm. An administrator without a password gets a set-up link, shown once.',
  examples: ['latchkey seed --dry-run', 'latchkey seed', 'ADMIN_PASSWORD_FILE=/run/secrets/admin latchkey seed --json'],
  options: [
    { flags: '-n, --dry-run', description: 'Only show what would be done' },
    { flags: '--prune', description: 'Also remove roles that are no longer declared' },
    waitForDatabaseOption,
  ],
  exitCodes: [6, 8],
  deadline: 120,
  input: (z) => z.object({ dryRun: flag(z), prune: flag(z), waitForDb: seconds(z).default(0) }),
  action: async (context) => {
    const { options, output, env } = context
    const { dryRun, prune, waitForDb } = options
    const [{ openForDryRun }, { readEnvironment }] = await Promise.all([import('../dry-run.ts'), import('../secret-file.ts')])
    const { app } = await openForDryRun(context, { dryRun, waitForDatabase: waitForDb })
    const results: SeedResult[] = []
    for (const feature of app.features) {
      results.push(...((await feature.seed?.(app, { dryRun, prune, readSecret: (name) => readEnvironment(env, name) })) ?? []))
    }
    const counts = count(results)
    output.result('seed/v1', { dryRun, ...counts, results }, [
      ...results.flatMap((result) => describe(result, output.paint)),
      `${dryRun ? 'Would be: ' : ''}${counts.created} created, ${counts.changed} changed, ${counts.unchanged} unchanged, ${counts.removed} removed`,
    ])
    if (results.some(({ setupLink }) => setupLink)) output.info('Each link works once and is not shown again.')
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
  return setupLink ? [line, `  set the password at ${paint.bold(setupLink)}`] : [line]
}
