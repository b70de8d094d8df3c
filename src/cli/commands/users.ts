import type { CommandGroup } from '../command.ts'
import { create } from './users-create.ts'
import { remove } from './users-delete.ts'
import { list } from './users-list.ts'
import { setPassword } from './users-set-password.ts'
import { show } from './users-show.ts'

export const users: CommandGroup = {
  name: 'users',
  summary: 'Show, create, change and delete users',
  examples: [
    'latchkey users list --search example.com',
    'latchkey users create --email ann@example.com --name Ann',
    'latchkey users set-password ann@example.com',
  ],
  commands: [list, show, create, setPassword, remove],
}
