import type { CommandGroup } from '../command.ts'
import { down } from './migrate-down.ts'
import { generate } from './migrate-generate.ts'
import { status } from './migrate-status.ts'
import { up } from './migrate-up.ts'

export const migrate: CommandGroup = {
  name: 'migrate',
  summary: 'Bring the database to what the configuration needs',
  description:
    'For MySQL and MariaDB: SQL files in the folder migrations, made from the configuration, read by people and applied once. An embedded database needs none: it follows the configuration when it is used.',
  examples: [
    'latchkey migrate generate',
    'latchkey migrate up --dry-run',
    'latchkey migrate up',
    'latchkey migrate status --exit-code',
  ],
  commands: [generate, up, down, status],
}
