import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './passkey-en.ts'

export const messages: Translation<typeof english> = {
  passkeys: 'Passkeys',
  passkeysText: [
    'Melden Sie sich mit Fingerabdruck, Gesicht oder Sicherheitsschlüssel an, ohne Passwort.',
    'Melde dich mit Fingerabdruck, Gesicht oder Sicherheitsschlüssel an, ohne Passwort.',
  ],
  none: ['Sie haben keinen Passkey.', 'Du hast keinen Passkey.'],
  add: 'Passkey hinzufügen',
  notHere: 'Dieser Browser kann keine Passkeys erstellen.',
  added: ({ name }) => `Der Passkey „${name}“ wurde hinzugefügt.`,
  testTitle: 'Funktioniert er?',
  testText: [
    'Verwenden Sie den neuen Passkey einmal, bevor Sie ihn brauchen.',
    'Verwende den neuen Passkey einmal, bevor du ihn brauchst.',
  ],
  test: 'Passkey testen',
  tested: ({ name }) => `Der Passkey „${name}“ funktioniert.`,
  testFailed: [
    'Der Passkey wurde nicht verwendet. Versuchen Sie es erneut, oder entfernen Sie ihn und fügen Sie einen anderen hinzu.',
    'Der Passkey wurde nicht verwendet. Versuche es erneut, oder entferne ihn und füge einen anderen hinzu.',
  ],
  cancelled: ['Es wurde kein Passkey erstellt. Versuchen Sie es erneut.', 'Es wurde kein Passkey erstellt. Versuche es erneut.'],
  keyHasNoRoom: [
    'Ein Sicherheitsschlüssel hat vielleicht keinen Platz dafür oder keine PIN. Fügen Sie ihn dann hinzu, ohne den Passkey auf ihm zu speichern: Er gilt nach Ihrem Passwort, aber nicht allein.',
    'Ein Sicherheitsschlüssel hat vielleicht keinen Platz dafür oder keine PIN. Füge ihn dann hinzu, ohne den Passkey auf ihm zu speichern: Er gilt nach deinem Passwort, aber nicht allein.',
  ],
  addUnstored: 'Sicherheitsschlüssel ohne Speichern hinzufügen',
  registered: [
    'Dieses Gerät oder dieser Passwortmanager hat schon einen Passkey für Ihr Konto.',
    'Dieses Gerät oder dieser Passwortmanager hat schon einen Passkey für dein Konto.',
  ],
  wrongDomain: 'Unter dieser Adresse können keine Passkeys erstellt werden.',
  notPossible: 'Der Passkey konnte hier nicht erstellt werden.',
  unnamed: 'Passkey ohne Namen',
  synced: 'Synchronisiert',
  notSynced: 'Nur auf diesem Gerät',
  suspended: 'Gesperrt',
  suspendedText: [
    'Sein Zähler ist zurückgegangen wie bei einem kopierten Schlüssel, daher ist er gesperrt. Entfernen Sie ihn, oder verwenden Sie ihn wieder, wenn Sie den Grund kennen, etwa eine Reparatur.',
    'Sein Zähler ist zurückgegangen wie bei einem kopierten Schlüssel, daher ist er gesperrt. Entferne ihn, oder verwende ihn wieder, wenn du den Grund kennst, etwa eine Reparatur.',
  ],
  useAgain: 'Wieder verwenden',
  useAgainNamed: ({ name }) => `${name} wieder verwenden`,
  useAgainQuestion: ({ name }) => `Den Passkey „${name}“ wieder verwenden?`,
  useAgainText: [
    'Wenn jemand den Schlüssel kopiert hat, kann er sich dann mit der Kopie anmelden. Vielleicht müssen Sie es erst auf andere Weise bestätigen.',
    'Wenn jemand den Schlüssel kopiert hat, kann er sich dann mit der Kopie anmelden. Vielleicht musst du es erst auf andere Weise bestätigen.',
  ],
  usedAgain: ({ name }) => `Mit dem Passkey „${name}“ ist die Anmeldung wieder möglich.`,
  neverUsed: 'Noch nicht verwendet',
  rename: 'Umbenennen',
  renameNamed: ({ name }) => `${name} umbenennen`,
  name: 'Name des Passkeys',
  renamed: ({ name }) => `Der Passkey heißt jetzt „${name}“.`,
  remove: 'Entfernen',
  removeNamed: ({ name }) => `${name} entfernen`,
  removeQuestion: ({ name }) => `Den Passkey „${name}“ entfernen?`,
  removeText: [
    'Damit kann sich niemand mehr anmelden. Löschen Sie ihn auch in Ihrem Passwortmanager.',
    'Damit kann sich niemand mehr anmelden. Lösche ihn auch in deinem Passwortmanager.',
  ],
  removed: ({ name }) => `Der Passkey „${name}“ wurde entfernt.`,
}
