/** Usage errors that commander finds: with the wrong value, and with the command or option that was meant. */
import type { CommanderError } from 'commander'
import { type Failure, usageError } from '../project/failure.ts'
import { quoteValue } from './wrong-value.ts'

/** Words that are not commands, with what to type in their place. */
const elsewhere: Readonly<Record<string, string>> = {
  ...sameHint('Start the daemon: `latchkey start`. To try it out: `latchkey dev`', 'serve server run up daemon listen launch'),
  ...sameHint('Stop the daemon: `latchkey stop`', 'down kill quit shutdown'),
  ...sameHint('Install the new version, then run `latchkey restart`. See docs/install.md', 'upgrade update self-update'),
  ...sameHint('Show what would change: `latchkey migrate generate --dry-run` and `latchkey migrate up --dry-run`', 'plan diff'),
  ...sameHint('Apply migrations: `latchkey migrate up`', 'apply push deploy'),
  ...sameHint('Roll back migrations: `latchkey migrate down`', 'rollback revert undo'),
  ...sameHint('List the commands for the database: `latchkey migrate --help`', 'db database schema sql'),
  ...sameHint(
    'Use the tools of the database: docs/backup.md. All users: `latchkey export users`',
    'backup restore dump snapshot',
  ),
  ...sameHint(
    'Commands need no sign-in: they use the database of the configuration. Administrators sign in at /admin of the base URL',
    'login logout signin sign-in auth whoami',
  ),
  ...sameHint(
    'Administrators sign in at /admin of the base URL. Create one: `latchkey users create --role admin`',
    'admin console dashboard ui',
  ),
  ...sameHint('Check the configuration: `latchkey config check`', 'check validate lint verify test'),
  ...sameHint('Create a configuration: `latchkey init`', 'setup configure new create bootstrap'),
  ...sameHint('Show the configuration: `latchkey config show`', 'env settings options'),
  ...sameHint('Show the daemon: `latchkey status`. Find problems: `latchkey doctor`', 'info health ping ready debug diagnose ps'),
  ...sameHint(
    'List the commands for organizations: `latchkey orgs --help`',
    'organization organizations team teams member members invite invitations',
  ),
  ...sameHint(
    'Declare roles in `seed.roles`: `latchkey seed`. Give one to a user: `latchkey users set-role`',
    'role roles permissions',
  ),
  ...sameHint(
    'List the commands for users: `latchkey users --help`',
    'account accounts ban unban password passwd reset-password',
  ),
  ...sameHint(
    'Manage API keys: `latchkey api-keys --help`. Signing keys of JWTs: `latchkey keys --help`',
    'token tokens jwt jwks',
  ),
  ...sameHint('Rotate the signing key: `latchkey keys rotate`. Generate a secret: `latchkey secret`', 'rotate'),
  ...sameHint('The daemon deletes expired rows itself', 'cleanup clean prune gc'),
  ...sameHint('List all commands: `latchkey --help`. The documentation: docs/quickstart.md', 'docs man manual tutorial'),
  ...sameHint(
    'It is not available yet. List all commands: `latchkey --help`',
    'maintenance mcp impersonate webhook webhooks incident freeze unfreeze drift rehearse explain top api plugin plugins',
  ),
}

/** Verbs that mean the same; a group of commands has one of them at most. */
const synonyms = [
  'create add new make insert register sign-up generate',
  'delete remove rm del destroy drop erase revoke',
  'list ls all index search find',
  'show get view info describe inspect print cat',
  'update edit modify change set',
  'set-role role roles grant promote',
  'set-password password passwd reset-password',
  'ban block suspend disable lock',
  'unban unblock enable unlock',
  'check validate test lint verify',
  'up apply deploy run push execute migrate',
  'down rollback revert undo',
  'generate create new make diff',
  'status plan pending',
  'clear reset unlock delete',
  'add-member add',
  'remove-member remove',
].map((words) => words.split(' '))

/** Options that other programs have, with the option here; it is named only if the command has it. */
const otherOptions: Readonly<Record<string, string>> = {
  ...sameHint('--password-stdin', '--password --pass --pwd'),
  ...sameHint('--debug', '--verbose -v --trace'),
  ...sameHint('--version', '-V'),
  ...sameHint('--json', '--format --output-format'),
  ...sameHint('--out', '--output --file -f'),
  ...sameHint('--detach', '-d --daemon --background --detached'),
  ...sameHint('--dry-run', '--dry --check --preview --plan'),
  ...sameHint('--confirm', '--force'),
  ...sameHint('--role', '--roles --admin'),
  ...sameHint('--no-input', '--non-interactive --ci'),
}

/** What fromCommander must know of the command line. */
export interface Typed {
  /** The words before the one that is unknown: none, or a group. */
  readonly group: string | undefined
  /** Names of the commands there. */
  readonly commands: readonly string[]
  /** All options of the command. */
  readonly options: readonly string[]
  /** The next word, as in `create user`. */
  readonly next: string | undefined
  /** Names of all groups. */
  readonly groups: readonly string[]
}

/** @param error of commander @param typed what was typed, and what there is */
export function fromCommander(error: CommanderError, typed: Typed): Failure {
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n')
  // For a group without a command, commander has printed the help to standard error.
  if (error.code === 'commander.help') return usageError('A command is missing')
  const choices = choiceError(message)
  if (choices) return usageError(choices)
  // Without the value in `--password=…`.
  const shown = message.replace(/^(unknown option '[^=']*)=.*'$/s, "$1'")
  const [, unknown = ''] = /^unknown (?:command|option) '(.*)'$/s.exec(shown) ?? []
  const own = error.code === 'commander.unknownOption' ? optionHint(unknown, typed) : commandHint(unknown, typed)
  return usageError(shown.charAt(0).toUpperCase() + shown.slice(1), own ?? suggestion?.replaceAll(/[()]/g, ''))
}

/** An argument or option with a value that is none of its choices. */
function choiceError(message: string): string | null {
  const found =
    /^(?:command-argument value '(?<word>.*)' is invalid for argument '(?<argument>.*)'|option '(?<option>[^']*)' argument '(?<value>.*)' is invalid)\. Allowed choices are (?<choices>.*)\.$/s.exec(
      message,
    )?.groups
  if (!found) return null
  const where = found.argument === undefined ? (/--[\w-]+/.exec(found.option ?? '')?.[0] ?? found.option) : `<${found.argument}>`
  return `${where}: expected one of ${found.choices}, ${quoteValue(found.word ?? found.value)}`
}

function commandHint(word: string, { group, commands, next, groups }: Typed): string | undefined {
  if (word === '') return undefined
  const among = (names: readonly string[], given: string) =>
    synonyms.filter((words) => words.includes(given)).flatMap((words) => words.filter((each) => names.includes(each)))[0]
  if (group !== undefined) {
    const meant = among(commands, word)
    return meant && `Did you mean ${meant}?`
  }
  // The noun comes first.
  const noun = next && groups.find((name) => name === next || name === `${next}s`)
  if (noun && synonyms.some((words) => words.includes(word)))
    return `Did you mean \`latchkey ${noun} ${word}\`? List them: \`latchkey ${noun} --help\``
  return elsewhere[word]
}

function optionHint(option: string, { options }: Typed): string | undefined {
  const meant = otherOptions[option]
  if (!meant || !options.includes(meant)) return undefined
  if (meant === '--password-stdin')
    return 'Passwords are never options, which other users of the machine can see: use --password-stdin'
  return `Did you mean ${meant}?`
}

function sameHint(hint: string, words: string): Record<string, string> {
  return Object.fromEntries(words.split(' ').map((word) => [word, hint]))
}
