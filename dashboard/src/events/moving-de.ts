/** Moves, and imports and exports of all data: the events. */
import type { Values } from './values.ts'

export const messages = {
  'move.started': ({ actor }: Values) => `${actor} hat einen Umzug begonnen`,
  'move.completed': ({ actor }: Values) => `${actor} hat einen Umzug abgeschlossen`,
  'data.exported': ({ actor }: Values) => `${actor} hat alle Daten mit Passwort-Hashes und anderen Geheimnissen exportiert`,
  'data.imported': ({ actor }: Values) => `${actor} hat Zeilen eines vollständigen Exports importiert`,
  'users.imported': ({ actor }: Values) => `${actor} hat Benutzer importiert`,
}
