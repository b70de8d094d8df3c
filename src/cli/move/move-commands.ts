import { group } from '../command.ts'
import { systemCommands } from './system-commands.ts'

export const moveGroup = group('move', 'Move users in from another system', {
  description:
    'Reads what another system exports and shows a report: who is moved, who is not and why. Writes nothing without --apply. A second run is safe.',
  examples: [
    'latchkey move from-auth0 users.ndjson hashes.ndjson',
    'latchkey move from-keycloak acme-realm.json --apply',
    'latchkey move from-csv users.csv --preset laravel --apply',
  ],
  commands: systemCommands,
})
