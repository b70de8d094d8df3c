/** The list of commands, in the order of `--help`. */
import type { Command, CommandGroup } from '../command.ts'

/** What `--help` shows of a command. The rest is read when the command is typed: twenty files would double its time. */
export interface Entry {
  readonly name: string
  /** The same as in its file. */
  readonly summary: string
  readonly load: () => Promise<Command | CommandGroup>
}

export interface Chapter {
  readonly title: string
  readonly entries: readonly Entry[]
}

const entry = (name: string, summary: string, load: Entry['load']): Entry => ({ name, summary, load })

export const chapters: readonly Chapter[] = [
  {
    title: 'Begin',
    entries: [
      entry('dev', 'Serve here and now, with nothing else installed', async () => (await import('./dev.ts')).dev),
      entry('init', 'Write a configuration', async () => (await import('./init.ts')).init),
    ],
  },
  {
    title: 'Database',
    entries: [
      entry('migrate', 'Bring the database to what the configuration needs', async () => (await import('./migrate.ts')).migrate),
      entry('seed', 'Write the declared roles and administrators', async () => (await import('./seed.ts')).seed),
    ],
  },
  {
    title: 'Daemon',
    entries: [
      entry('start', 'Start the daemon', async () => (await import('./start.ts')).start),
      entry('stop', 'Stop the daemon', async () => (await import('./stop.ts')).stop),
      entry('restart', 'Stop the daemon and start it again', async () => (await import('./restart.ts')).restart),
      entry('reload', 'Let the daemon read its configuration again', async () => (await import('./reload.ts')).reload),
      entry('status', 'Show what the daemon does', async () => (await import('./status.ts')).status),
      entry('logs', 'Show what the daemon has logged', async () => (await import('./logs.ts')).logs),
    ],
  },
  {
    title: 'People',
    entries: [
      entry('users', 'Show, create, change and delete users', async () => (await import('./users.ts')).users),
      entry('sessions', 'Show and end sessions', async () => (await import('./sessions.ts')).sessions),
      entry('import', 'Move in: create users from lines of JSON', async () => (await import('./import.ts')).importGroup),
      entry('export', 'Move out: write all users as lines of JSON', async () => (await import('./export.ts')).exportGroup),
    ],
  },
  {
    title: 'Look and check',
    entries: [
      entry(
        'config',
        'Check the configuration, show it, or show what may be written',
        async () => (await import('./config.ts')).config,
      ),
      entry('doctor', 'Find out what is wrong, and how to mend it', async () => (await import('./doctor.ts')).doctor),
      entry('mail', 'Look after the mails that go out', async () => (await import('./mail.ts')).mail),
      entry(
        'limits',
        'Show or forget what holds an address or an account back',
        async () => (await import('./limits.ts')).limits,
      ),
      entry('openapi', 'Write the OpenAPI document of the API', async () => (await import('./openapi.ts')).openapi),
    ],
  },
  {
    title: 'More',
    entries: [
      entry('secret', 'Make a strong secret', async () => (await import('./secret.ts')).secret),
      entry('completion', 'Write a completion script for a shell', async () => (await import('./completion.ts')).completion),
      entry('version', 'Show the version and what it runs on', async () => (await import('./version.ts')).version),
    ],
  },
]
