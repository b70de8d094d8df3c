/** `latchkey init`: asks what flags, environment and `.env` leave open, then writes the project. */
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { shellWord } from '../../lib/text.ts'
import type { Environment } from '../../project/environment.ts'
import { argument, type Context, command, flag, option, text, type ValuesOf } from '../command.ts'
import type { Output } from '../output.ts'
import type { DatabaseSetup } from './database-setup.ts'
import type { WrittenFile } from './project-files.ts'
import type { InitAnswers } from './questions.ts'
import type { RedirectToRegister } from './social-providers.ts'

const initArguments = { dir: argument('[dir]', 'Folder of the project [.]', (z) => z.string().optional()) }
const initOptions = {
  appName: text('--app-name <name>', 'Name of the application, for pages and emails'),
  baseUrl: text('--base-url <url>', 'Public URL of the service'),
  databaseUrl: text(
    '--database-url <url>',
    'mysql://… or sqlite:…; use DATABASE_URL to keep the password out of the process list',
  ),
  redisUrl: text('--redis-url <url>', 'redis://… or rediss://…; without it limits are counted in memory'),
  signIn: text('--sign-in <methods>', 'Sign-in methods and providers, such as password,passkey,google [password]'),
  social: text('--social <providers>', 'Providers of social sign-in, such as google,github; without it there are none'),
  organizations: option('--organizations', 'Enable organizations with members, invitations and teams', (z) =>
    z
      .boolean()
      .optional()
      .transform((isGiven) => (isGiven ? 'yes' : undefined)),
  ),
  adminEmail: text('--admin-email <address>', 'Email address of the first administrator; without it there is none'),
  writeEnv: option('--no-write-env', 'Do not copy values of the environment to .env', (z) => z.boolean().default(true)),
  package: flag('--package', 'Also create package.json, compose.yaml, a CI workflow and the first migration; asks less'),
  force: flag('--force', 'Overwrite an existing auth.config.ts, and variables of .env that flags set'),
}
type InitContext = Context<ValuesOf<typeof initArguments & typeof initOptions>>

export const init = command('init', 'Create a configuration', {
  description:
    'Creates auth.config.ts, .env with a new secret, entries in .gitignore and the folder migrations. Copies DATABASE_URL, REDIS_URL, LATCHKEY_BASE_URL and LATCHKEY_SECRET from the environment to .env, so that they are also set in the next terminal. Keeps the existing lines of .env. With --package the folder is a complete project for npm; `npm create latchkey` runs this.',
  examples: [
    'latchkey init',
    'latchkey init --yes --social google,github --organizations',
    'latchkey init acme --package --sign-in password,passkey',
    'latchkey init acme --app-name Acme --base-url https://auth.acme.example',
  ],
  arguments: initArguments,
  options: initOptions,
  exitCodes: [4, 5],
  action: async (context) => {
    const { options, output, cwd, env } = context
    const { findExisting, isTypeless, writeProject } = await import('./project-files.ts')
    const { compareEnvironment, readEnvFile } = await import('./env-file.ts')
    const dir = await chooseFolder(context)
    const directory = resolve(cwd, dir)
    findExisting(directory, options.force)
    const stored = readEnvFile(directory)
    const { unstored, differing } = compareEnvironment(env, stored)
    const { answers, storesEnvironment } = await ask(context, { directory, stored, unstored })
    const known = parseEnv(stored)
    const baseUrl = answers.baseUrl || env.LATCHKEY_BASE_URL || known.LATCHKEY_BASE_URL || ''
    const hasMail = options.package || needsMail(answers)
    const databaseUrl = answers.databaseUrl || env.DATABASE_URL || known.DATABASE_URL || ''
    const written = { hasMail, composeUrl: options.package ? databaseUrl : '', storesEnvironment, force: options.force }
    const files = writeProject({ directory, env, cwd, answers, baseUrl, ...written })
    const redisUrl = answers.redisUrl || env.REDIS_URL || known.REDIS_URL || ''
    if (options.package) files.push(...(await writePackage(directory, { ...answers, databaseUrl, redisUrl }, env)))
    const isEmbedded = databaseUrl.startsWith('sqlite:')
    const commands = options.package
      ? packageCommands(dir, files)
      : nextCommands({ dir, isEmbedded, hasAdmin: answers.adminEmail !== '' })
    const next = commands.map(output.typed)
    const shown = files.map((file) => describe(file, output))
    const redirects = await findRedirects(answers, baseUrl)
    const { databaseSetup } = await import('./database-setup.ts')
    const setup = databaseSetup(databaseUrl)
    const steps = [...describeRedirects(redirects), ...describeSetup(options.package ? null : setup, output)]
    const lines = [...shown, ...steps, '', 'Next:', ...next.map((line) => `  ${line}`)]
    output.result('init/v1', { directory, files, next, redirects, databaseSetup: setup?.statements ?? [] }, lines)
    if (differing.length > 0)
      output.warn(`.env has other values than the environment, which overrides it: ${differing.join(', ')}`)
    if (!options.package && isTypeless(directory)) output.info('Install latchkey in the project to get types in your editor.')
  },
})

/** With `--package` a folder of its own is usual, so it is asked for. */
async function chooseFolder({ options, prompt }: InitContext): Promise<string> {
  if (options.dir !== undefined || !options.package) return options.dir ?? '.'
  const { folderQuestion } = await import('./questions.ts')
  const [dir = '.'] = await prompt.texts([folderQuestion])
  return dir
}

async function writePackage(directory: string, answers: InitAnswers, env: Environment): Promise<WrittenFile[]> {
  const { writeNewFiles } = await import('./project-files.ts')
  const { packageFiles, writeFirstMigration } = await import('./package-files.ts')
  const files = writeNewFiles(directory, packageFiles(directory, answers))
  const migration = await writeFirstMigration(directory, env)
  return migration ? [...files, migration] : files
}

const needsMail = ({ signIn }: InitAnswers): boolean => /magic-link|email-code/.test(signIn)

/** How the project is started the first time: a package.json that was there has neither the dependency nor the script. */
function packageCommands(dir: string, files: readonly WrittenFile[]): string[] {
  const isNew = files.some(({ path, outcome }) => path === 'package.json' && outcome === 'created')
  const start = isNew ? ['npm install', 'npm run dev'] : ['npm install latchkey', 'latchkey dev']
  return [...(dir === '.' ? [] : [`cd ${shellWord(dir)}`]), ...start]
}

const nextCommands = (given: { readonly dir: string; readonly isEmbedded: boolean; readonly hasAdmin: boolean }): string[] => [
  ...(given.dir === '.' ? [] : [`cd ${shellWord(given.dir)}`]),
  ...(given.isEmbedded ? [] : ['latchkey migrate generate', 'latchkey migrate up']),
  'latchkey seed',
  ...(given.hasAdmin ? [] : ['latchkey users create --role admin --email <your email address> --name <your name>']),
  'latchkey start --detach',
]

/** @param url empty when it is in a file that is not readable yet */
async function findRedirects({ social }: InitAnswers, url: string): Promise<RedirectToRegister[]> {
  const { readProviders, redirectsToRegister } = await import('./social-providers.ts')
  return URL.canParse(url) ? redirectsToRegister(readProviders(social), url) : []
}

const describeRedirects = (redirects: readonly RedirectToRegister[]): string[] =>
  redirects.flatMap(({ name, redirectURI, registrationURL }) => [
    '',
    `Register this redirect URI${registrationURL ? ` at ${registrationURL}` : ` with ${name}`}, then set its variables in .env:`,
    `  ${redirectURI}`,
  ])

const describeSetup = (setup: DatabaseSetup | null, { typed }: Output): string[] =>
  setup
    ? [
        '',
        'Create the database and its accounts, if they do not exist. Replace both passwords, and % by the network of your daemons:',
        ...setup.statements.map((statement) => `  ${statement}`),
        'The daemon uses the first account. Migrate with the second:',
        `  ${typed(setup.migrate)}`,
      ]
    : []

function describe({ path, outcome, changes = [] }: WrittenFile, { paint }: Output): string {
  const mark = outcome === 'unchanged' ? '=' : paint.green(outcome === 'created' ? '+' : '~')
  return [`${mark} ${path}`, ...(changes.length > 0 ? [changes.join(', ')] : [])].join('  ')
}

interface Known {
  readonly directory: string
  /** Text of `.env`. */
  readonly stored: string
  /** Variables of the environment that `.env` does not have. */
  readonly unstored: readonly string[]
}

/** @throws Failure USAGE, ANSWER_NEEDED (4), ENV_EXISTS (5), INTERRUPTED (130) */
async function ask({ prompt, env, options, output }: InitContext, { directory, stored, unstored }: Known) {
  const { checkFlag, packageQuestions, questions, variableNames, withDefaults } = await import('./questions.ts')
  const { checkFlagsAgainst, isSetIn } = await import('./env-file.ts')
  const all = { ...questions(directory), ...(options.package && packageQuestions(directory)) }
  const keys = Object.keys(all) as (keyof InitAnswers)[]
  const names: Partial<Record<keyof InitAnswers, string>> = variableNames
  for (const key of keys) checkFlag(key, all[key], options[key])
  if (!options.force) checkFlagsAgainst(stored, options)
  const isKnown = (name = '') => isSetIn(env, name) || isSetIn(parseEnv(stored), name)
  const isAsked = (key: keyof InitAnswers) => (options.package ? key in packageQuestions(directory) : key !== 'signIn')
  const open = keys.filter((key) => options[key] === undefined && isAsked(key) && !isKnown(names[key]))
  if (prompt.isAsking && open.length > 0) {
    output.info(`${open.length === 1 ? '1 question' : `${open.length} questions`}. Enter accepts the value in brackets.`)
  }
  const answered = await prompt.texts(open.map((key) => all[key]))
  const answers = withDefaults(directory, (key) => options[key] ?? answered[open.indexOf(key)])
  const isUsed = (name: string) => !keys.some((key) => names[key] === name && options[key] !== undefined)
  const copied = unstored.filter(isUsed)
  const message = `Write ${copied.join(', ')} from the environment to .env, for the next terminal?`
  const storesEnvironment = options.writeEnv && (copied.length === 0 || !prompt.isAsking || (await prompt.confirm(message)))
  return { answers, storesEnvironment }
}
