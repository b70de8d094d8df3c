import { group } from '../command.ts'
import { fromBetterAuth } from './from-better-auth.ts'
import { moveState } from './move-state.ts'
import { systemCommands } from './system-commands.ts'

export const move = group('move', 'Move from another system, and back', {
  description:
    'Reads the database of better-auth, or what another system exports, and shows a report: what is moved, what is not and why. Writes nothing without --apply. A second run is safe.',
  examples: [
    'latchkey move from-better-auth --database sqlite:./app.db',
    'latchkey move from-auth0 users.ndjson hashes.ndjson',
    'latchkey move from-csv users.csv --preset laravel --apply',
  ],
  commands: [fromBetterAuth, ...systemCommands, ...moveState],
})
