import type { CommandGroup } from '../command.ts'
import { list } from './sessions-list.ts'
import { revoke } from './sessions-revoke.ts'

export const sessions: CommandGroup = {
  name: 'sessions',
  summary: 'Show and end sessions',
  examples: ['latchkey sessions list --user ann@example.com', 'latchkey sessions revoke --user ann@example.com'],
  commands: [list, revoke],
}
