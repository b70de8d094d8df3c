import type { CommandGroup } from '../command.ts'
import { clear } from './limits-clear.ts'
import { explain } from './limits-explain.ts'

export const limits: CommandGroup = {
  name: 'limits',
  summary: 'Show or forget what holds an address or an account back',
  examples: ['latchkey limits explain --ip 192.0.2.1 --account ann@example.com', 'latchkey limits clear --ip 192.0.2.1'],
  commands: [explain, clear],
}
