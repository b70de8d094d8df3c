import { resolve } from 'node:path'
import { type BaseContext, command } from '../command.ts'
import type { InitAnswers } from '../init/files.ts'
import { flag } from '../inputs.ts'

interface Flags {
  readonly dir: string
  readonly force: boolean
  readonly appName?: string | undefined
  readonly baseUrl?: string | undefined
  readonly databaseUrl?: string | undefined
  readonly redisUrl?: string | undefined
  readonly adminEmail?: string | undefined
}

export const init = command({
  name: 'init',
  summary: 'Write a configuration',
  description:
    'Writes auth.config.ts, .env with a fresh secret, lines for .gitignore and the folder migrations. What DATABASE_URL, REDIS_URL, LATCHKEY_BASE_URL and LATCHKEY_SECRET say in the environment is used and not written. An existing .env is only added to.',
  examples: ['latchkey init', 'latchkey init --yes', 'latchkey init acme --app-name Acme --base-url https://auth.acme.example'],
  arguments: [{ syntax: '[dir]', description: 'Where to write; default: here' }],
  options: [
    { flags: '--app-name <name>', description: 'Shown on pages and in mails' },
    { flags: '--base-url <url>', description: 'Address that browsers use' },
    {
      flags: '--database-url <url>',
      description: 'mysql://… or sqlite:…; DATABASE_URL keeps a password out of the process list',
    },
    { flags: '--redis-url <url>', description: 'redis://… or rediss://…; without it limits are counted in process' },
    { flags: '--admin-email <address>', description: 'First administrator, who gets a set-up link' },
    { flags: '--force', description: 'Overwrite an existing auth.config.ts' },
  ],
  exitCodes: [4, 5],
  input: (z) =>
    z.object({
      dir: z.string().default('.'),
      force: flag(z),
      appName: z.string().optional(),
      baseUrl: z.string().optional(),
      databaseUrl: z.string().optional(),
      redisUrl: z.string().optional(),
      adminEmail: z.string().optional(),
    }),
  action: async (context) => {
    const { options, output, cwd, env } = context
    const { findExisting, isTypeless, writeProject } = await import('../init/files.ts')
    const directory = resolve(cwd, options.dir)
    findExisting(directory, options.force)
    const answers = await ask(context, options, directory)
    const files = writeProject({ directory, env, answers, force: options.force })
    const isEmbedded = (answers.databaseUrl || env.DATABASE_URL || '').startsWith('sqlite:')
    const next = [
      ...(options.dir === '.' ? [] : [`cd ${options.dir}`]),
      ...(isEmbedded ? [] : ['latchkey migrate generate', 'latchkey migrate up']),
      'latchkey seed',
      'latchkey start --detach',
    ]
    const shown = files.map(
      ({ path, outcome }) => `${outcome === 'unchanged' ? '=' : output.paint.green(outcome === 'created' ? '+' : '~')} ${path}`,
    )
    output.result('init/v1', { directory, files, next }, [...shown, '', 'Next:', ...next.map((line) => `  ${line}`)])
    if (isTypeless(directory))
      output.info('An editor finds the types of the configuration when latchkey is installed in the project.')
  },
})

async function ask({ prompt, env }: BaseContext, flags: Flags, directory: string): Promise<InitAnswers> {
  const { questions } = await import('../init/questions.ts')
  const asked = questions(flags, env, directory)
  const open = asked.filter(({ given }) => given === undefined)
  const answers = await prompt.texts(open.map(({ question }) => question))
  const values = new Map([
    ...asked.map(({ key, given }) => [key, given ?? ''] as const),
    ...open.map(({ key }, position) => [key, answers[position] ?? ''] as const),
  ])
  const value = (key: keyof InitAnswers) => values.get(key) ?? ''
  return {
    appName: value('appName'),
    baseURL: value('baseURL'),
    databaseUrl: value('databaseUrl'),
    redisUrl: value('redisUrl'),
    adminEmail: value('adminEmail'),
  }
}
