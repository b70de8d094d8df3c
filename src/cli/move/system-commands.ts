import { argument, type Command, type Context, command, flag, list, option, text, type ValuesOf } from '../command.ts'

const moveArguments = {
  files: argument('<files...>', 'Files of the export', (z) => z.array(z.string().min(1)).min(1)),
}
const moveOptions = {
  apply: flag('--apply', 'Write the users; without it, only a report is shown'),
  toNdjson: text('--to-ndjson <file>', 'Write the lines of an import instead'),
  merge: option('--merge <which>', '"verified": join users with the same verified address', (z) =>
    z.literal('verified').optional(),
  ),
  newIds: flag('--new-ids', 'Give users a new ID when theirs does not fit'),
  field: list('--field <name=path>', 'Take a field from the metadata: plan=app_metadata.plan'),
  role: list('--role <theirs=ours>', 'Give a role to users with a role or group there'),
  requireMfaSetup: flag('--require-mfa-setup', 'Users whose second factor is not in the export set one up at sign-in'),
  sourceTimeZone: option('--source-time-zone <zone>', 'Zone of times without one [UTC]', (z) => z.string().min(1).default('UTC')),
  weak: option('--weak <choice>', 'Weak hashes: "wrap" them in argon2id, or "drop" them [wrap]', (z) =>
    z.enum(['wrap', 'drop']).default('wrap'),
  ),
  showAddresses: flag('--show-addresses', 'Show email addresses in the report'),
  acceptSlowSignIn: flag('--accept-slow-sign-in', 'Accept that a failed sign-in takes over a second'),
  ignoreSignUpPolicy: flag('--ignore-sign-up-policy', 'Also move users whom the sign-up policy rejects'),
}
const databaseArguments = {
  files: argument('[files...]', 'Files of the export; none with --database', (z) => z.array(z.string().min(1)).default([])),
}
const databaseOptions = {
  ...moveOptions,
  database: text('--database <url>', 'Read the tables of the system instead of files'),
  databaseEnv: text('--database-env <name>', 'Variable with that URL, which keeps its password out of the process list'),
}
const wordPressOptions = {
  ...databaseOptions,
  tablePrefix: option('--table-prefix <text>', 'With --database: start of the names of its tables [wp_]', (z) =>
    z
      .string()
      .regex(/^\w{0,48}$/, 'expected letters, digits and underscores')
      .default('wp_'),
  ),
}
const tableOptions = {
  ...moveOptions,
  preset: option('--preset <name>', 'Columns of a system: laravel, spring, devise, aspnet, lucia …', (z) =>
    z.enum(['laravel', 'spring', 'devise', 'aspnet', 'lucia', 'zitadel', 'fusionauth', 'logto']).optional(),
  ),
  columns: text('--columns <list>', 'Columns by meaning: email=Email,password=PasswordHash'),
  pepper: text('--pepper <name>', 'Pepper of bcrypt hashes, in passwordHash.peppers'),
}

export type MoveContext = Context<
  ValuesOf<typeof moveArguments & typeof moveOptions> & Partial<ValuesOf<typeof tableOptions & typeof wordPressOptions>>
>

const report =
  'Shows a report and writes nothing, until --apply. Existing users stay unchanged, so a run that was stopped is run again. Sends no email. Addresses are masked. See docs/moving-from-others.md.'

const definition = (description: string, examples: readonly string[]) => ({
  description: `${description} ${report}`,
  examples,
  arguments: moveArguments,
  usesDatabase: true,
  exitCodes: [5] as const,
  deadline: 86_400,
})

const runFrom = async (system: string, context: MoveContext) => (await import('./system-move.ts')).moveFrom(system, context)

const from = (system: string, title: string, description: string, files: string): Command =>
  command(`from-${system}`, `Move users in from ${title}`, {
    ...definition(description, [`latchkey move from-${system} ${files}`, `latchkey move from-${system} ${files} --apply`]),
    options: moveOptions,
    action: (context) => runFrom(system, context),
  })

export const systemCommands: readonly Command[] = [
  from(
    'auth0',
    'Auth0',
    'Reads the user export, and the file of password hashes from its support.',
    'users.ndjson hashes.ndjson',
  ),
  from('clerk', 'Clerk', 'Reads the CSV of the dashboard, the JSON of the Backend API, or both.', 'users.csv users.json'),
  from('firebase', 'Firebase', 'Reads `auth:export` as JSON, and a file with the hash parameters.', 'users.json hash-config.txt'),
  command('from-supabase', 'Move users in from Supabase', {
    ...definition(
      'Reads a dump of auth.users, auth.identities and auth.mfa_factors, or these tables in its database (with the package pg).',
      ['latchkey move from-supabase auth.sql', 'latchkey move from-supabase --database-env SUPABASE_URL --apply'],
    ),
    arguments: databaseArguments,
    options: databaseOptions,
    action: (context) => runFrom('supabase', context),
  }),
  from('keycloak', 'Keycloak', 'Reads the JSON of a realm with users, or its files of users.', 'acme-realm.json'),
  from('cognito', 'Amazon Cognito', 'Reads pages of list-users as NDJSON or JSON, or the CSV of an import.', 'users.ndjson'),
  command('from-wordpress', 'Move users in from WordPress', {
    ...definition('Reads the tables wp_users and wp_usermeta as CSV, or in its database.', [
      'latchkey move from-wordpress wp_users.csv wp_usermeta.csv',
      'latchkey move from-wordpress --database-env WORDPRESS_URL --apply',
      'latchkey move from-wordpress wp_users.csv --role administrator=admin',
    ]),
    arguments: databaseArguments,
    options: wordPressOptions,
    action: (context) => runFrom('wordpress', context),
  }),
  from('django', 'Django', 'Reads `dumpdata auth.user`, or the table auth_user as CSV.', 'auth_user.json'),
  command('from-csv', 'Move users in from a table', {
    ...definition('Reads a table of users as CSV or JSON.', [
      'latchkey move from-csv users.csv --preset laravel',
      'latchkey move from-csv users.csv --preset devise --pepper main --apply',
      'latchkey move from-csv users.csv --columns email=Email,password=Hash',
    ]),
    options: tableOptions,
    action: (context) => runFrom('csv', context),
  }),
]
