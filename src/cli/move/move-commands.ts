import { group } from '../command.ts'
import { fromBetterAuth } from './from-better-auth.ts'
import { moveState } from './move-state.ts'

export const move = group('move', 'Move from another system, and back', {
  examples: ['latchkey move from-better-auth --database-env OLD_DATABASE_URL', 'latchkey move status', 'latchkey move finish'],
  commands: [fromBetterAuth, ...moveState],
})
