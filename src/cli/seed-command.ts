import type { App } from '../core/app.ts'
import type { SeedOptions, SeedResult } from '../core/seed.ts'
import { exitCodes, Failure } from '../project/failure.ts'
import { type Context, command, flag, list, type ValuesOf } from './command.ts'
import type { Palette } from './output.ts'

const seedOptions = {
  dryRun: flag('-n, --dry-run', 'Only print the changes'),
  prune: flag('--prune', 'Also delete roles that are no longer declared'),
  acknowledge: list(
    '--acknowledge <role>',
    'Delete a role that users still have, or create one whose name users already have, by its name in the error, such as role-in-use:support; repeatable',
  ),
  setupLinks: flag('--setup-links', 'Without a terminal, also print setup links in place of missing passwords'),
}
type SeedContext = Context<ValuesOf<typeof seedOptions>>

export const seed = command('seed', 'Create the declared roles, administrators and organizations', {
  description:
    'Creates and updates the roles, administrators and organizations in the section `seed` of the configuration. Repeated and concurrent runs are safe. Prints a setup link for each administrator without a password, once. Of organizations it adds and changes what is declared, and removes no member and no team, also with --prune.',
  examples: ['latchkey seed --dry-run', 'latchkey seed', 'ADMIN_PASSWORD_FILE=/run/secrets/admin latchkey seed --json'],
  options: seedOptions,
  usesDatabase: true,
  exitCodes: [4, 5],
  deadline: 120,
  action: async (context) => {
    const { options, output, env } = context
    const { dryRun, prune } = options
    const { readEnvironment } = await import('../project/environment.ts')
    const { app } = await context.openReadyApp({ mode: dryRun ? 'read' : 'write' })
    const how = { dryRun: true, prune, readSecret: (name: string) => readEnvironment(env, name) }
    const plan = await seedAll(app, how)
    if (!dryRun) checkPlan(plan, context)
    const results = dryRun ? plan : await seedAll(app, { ...how, dryRun })
    const counts = count(results)
    output.result('seed/v1', { dryRun, ...counts, results }, [
      ...results.flatMap((result) => describe(result, output.paint)),
      `${dryRun ? 'Would be: ' : ''}${counts.created} created, ${counts.changed} changed, ${counts.unchanged} unchanged, ${counts.removed} removed`,
    ])
    if (results.some(({ setupLink }) => setupLink)) {
      output.info('Each link works once and is not printed again.')
      const { hostedURL } = await import('../features/dashboard/index.ts')
      const adminURL = app.config.admin.enabled ? hostedURL(app.config, '/admin') : null
      if (adminURL !== null) output.info(`Then sign in at ${adminURL}`)
    } else if (!dryRun) {
      const { findRunning } = await import('./daemon/control-commands.ts')
      const { state } = await findRunning(context)
      output.info(state ? 'Next: latchkey status' : 'Next: latchkey start --detach')
    }
  },
})

async function seedAll(app: App, options: SeedOptions): Promise<SeedResult[]> {
  const { explained } = await import('./organizations/member-commands.ts')
  const results: SeedResult[] = []
  for (const feature of app.features) results.push(...(await explained(feature.seed?.(app, options) ?? Promise.resolve([]))))
  return results
}

/** @throws Failure USER_NOT_FOUND, ANSWER_NEEDED (4), ROLE_IN_USE (5) */
function checkPlan(plan: readonly SeedResult[], { options, prompt }: SeedContext): void {
  checkUsers(plan)
  const missing = plan.flatMap(({ missingSecret }) => missingSecret ?? [])
  // A log keeps what a pipeline prints; a setup link in it would be a password for its readers.
  if (missing.length > 0 && !prompt.isAllowed && !options.setupLinks) {
    throw new Failure('ANSWER_NEEDED', `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`, {
      exitCode: exitCodes.answerNeeded,
      hint: 'Set it to the password of the administrator. Or add --setup-links to print a link that sets the password.',
      details: missing.map((path) => ({ id: 'missing-secret', path, message: 'is not set' })),
    })
  }
  const used = plan.filter(({ name, users = 0 }) => users > 0 && !options.acknowledge.includes(useOf(name)))
  if (used.length === 0) return
  const sentences = {
    removed: 'Users still have roles that --prune deletes',
    created: 'Users already have the names of roles that are created, and would get what these permit',
  }
  const message = Object.entries(sentences).flatMap(([outcome, sentence]) => {
    const names = used.filter((one) => one.outcome === outcome).map(({ name }) => name)
    return names.length > 0 ? [`${sentence}: ${names.join(', ')}`] : []
  })
  throw new Failure('ROLE_IN_USE', message.join('. '), {
    exitCode: exitCodes.refused,
    hint: `To continue anyway, add ${used.map(({ name }) => `--acknowledge ${useOf(name)}`).join(' ')}`,
    details: used.map(({ name, detail = '' }) => ({ id: 'role-in-use', path: useOf(name), message: detail })),
  })
}

/** @throws Failure USER_NOT_FOUND with every missing user */
function checkUsers(plan: readonly SeedResult[]): void {
  const missing = plan.filter(({ missingUser }) => missingUser !== undefined)
  if (missing.length === 0) return
  const emails = [...new Set(missing.map(({ missingUser }) => missingUser))].join(', ')
  throw new Failure('USER_NOT_FOUND', `There is no user ${emails}. Nothing was written`, {
    hint: 'Create the user first: latchkey users create --email <address> --name <name>. Or declare an administrator in seed.admins.',
    details: missing.map(({ kind, name, missingUser }) => ({
      id: 'missing-user',
      path: `${kind} ${name}`,
      message: `needs ${missingUser}`,
    })),
  })
}

const useOf = (role: string): string => `role-in-use:${role}`

function count(results: readonly SeedResult[]): Record<SeedResult['outcome'], number> {
  const counts = { created: 0, changed: 0, unchanged: 0, removed: 0 }
  for (const { outcome } of results) counts[outcome] += 1
  return counts
}

function describe(result: SeedResult, paint: Palette): string[] {
  const { kind, name, outcome, missingUser, setupLink } = result
  const detail = [result.detail, missingUser && `there is no user ${missingUser}`].filter(Boolean).join('; ')
  const marks = { created: paint.green('+'), changed: paint.yellow('~'), unchanged: paint.dim('='), removed: paint.red('-') }
  const line = `${marks[outcome]} ${kind} ${name}${outcome === 'unchanged' ? paint.dim(' unchanged') : ''}${detail ? `: ${detail}` : ''}`
  return setupLink ? [line, `  set a password at ${paint.bold(setupLink)}`] : [line]
}
