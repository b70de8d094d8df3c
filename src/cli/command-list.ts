/** The list of commands, in the order of `--help`. */
import type { Command, CommandGroup } from './command.ts'

/** What `--help` needs to list a command. Loading all command files would double its time. */
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
    title: 'Getting started',
    entries: [
      entry('dev', 'Run a development server', async () => (await import('./daemon/dev-command.ts')).dev),
      entry('init', 'Create a configuration', async () => (await import('./init/init-command.ts')).init),
    ],
  },
  {
    title: 'Database',
    entries: [
      entry('migrate', 'Manage database migrations', async () => (await import('./migrate/migrate-commands.ts')).migrate),
      entry(
        'seed',
        'Create the declared roles, administrators and organizations',
        async () => (await import('./seed-command.ts')).seed,
      ),
    ],
  },
  {
    title: 'Daemon',
    entries: [
      entry('start', 'Start the daemon', async () => (await import('./daemon/start-commands.ts')).start),
      entry('stop', 'Stop the daemon', async () => (await import('./daemon/control-commands.ts')).stop),
      entry('restart', 'Restart the daemon', async () => (await import('./daemon/start-commands.ts')).restart),
      entry('reload', 'Reload configuration without downtime', async () => (await import('./daemon/control-commands.ts')).reload),
      entry('status', 'Show the status of the daemon', async () => (await import('./daemon/control-commands.ts')).status),
      entry('logs', 'Show the log of the daemon', async () => (await import('./daemon/logs-command.ts')).logs),
    ],
  },
  {
    title: 'Users and organizations',
    entries: [
      entry('users', 'Create, list and change users', async () => (await import('./users/users-commands.ts')).users),
      entry(
        'orgs',
        'Manage organizations and their members',
        async () => (await import('./organizations/orgs-commands.ts')).orgs,
      ),
      entry('sessions', 'List and revoke sessions', async () => (await import('./users/sessions-commands.ts')).sessions),
      entry(
        'incident',
        'Revoke sessions and freeze sign-in in an incident',
        async () => (await import('./incident-commands.ts')).incident,
      ),
      entry(
        'api-keys',
        'Create, list and revoke API keys',
        async () => (await import('./api-keys/api-keys-commands.ts')).apiKeys,
      ),
      entry(
        'invite-links',
        'Create, list and revoke invite links',
        async () => (await import('./sign-up/invite-links-commands.ts')).inviteLinks,
      ),
      entry(
        'waiting-list',
        'Approve or decline the waiting list',
        async () => (await import('./sign-up/waiting-list-commands.ts')).waitingList,
      ),
      entry('keys', 'List, rotate and retire signing keys', async () => (await import('./keys-commands.ts')).keys),
      entry('privacy', 'Export or erase the data of a person', async () => (await import('./users/privacy-commands.ts')).privacy),
      entry('terms', 'Show who accepted which terms', async () => (await import('./terms-commands.ts')).terms),
      entry('move', 'Move from another system, and back', async () => (await import('./move/move-commands.ts')).move),
      entry(
        'import',
        'Import users, or a complete export',
        async () => (await import('./transfer/import-command.ts')).importGroup,
      ),
      entry('export', 'Export users, or everything', async () => (await import('./transfer/export-command.ts')).exportGroup),
    ],
  },
  {
    title: 'Diagnostics',
    entries: [
      entry('config', 'Check and show the configuration', async () => (await import('./config-commands.ts')).config),
      entry('doctor', 'Diagnose problems and suggest fixes', async () => (await import('./doctor/doctor-command.ts')).doctor),
      entry('explain', 'Explain why something was rejected', async () => (await import('./explain-command.ts')).explain),
      entry('providers', 'List the providers of social sign-in', async () => (await import('./providers-command.ts')).providers),
      entry('mail', 'List and retry outgoing emails', async () => (await import('./mail-commands.ts')).mail),
      entry('audit', 'List and verify the audit log', async () => (await import('./audit-commands.ts')).audit),
      entry('sign-in', 'Explain sign-ins of users', async () => (await import('./users/sign-in-commands.ts')).signIn),
      entry('sign-up', 'Explain who may sign up', async () => (await import('./sign-up-commands.ts')).signUp),
      entry('limits', 'Show or reset rate limits and lockouts', async () => (await import('./limits/limits-commands.ts')).limits),
    ],
  },
  {
    title: 'Other',
    entries: [
      entry('mcp', 'Run an MCP server for agents', async () => (await import('./mcp/mcp-command.ts')).mcp),
      entry('openapi', 'Print the OpenAPI document', async () => (await import('./tool-commands.ts')).openapi),
      entry('texts', 'List and export texts to replace', async () => (await import('./texts-commands.ts')).texts),
      entry('secret', 'Generate a strong secret', async () => (await import('./tool-commands.ts')).secret),
      entry(
        'completion',
        'Generate a shell completion script',
        async () => (await import('./completion/completion-command.ts')).completion,
      ),
      entry('version', 'Show version and platform', async () => (await import('./tool-commands.ts')).version),
    ],
  },
]
