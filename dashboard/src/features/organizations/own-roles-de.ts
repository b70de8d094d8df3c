/** Texts of the roles that an organization makes itself. */
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './own-roles-en.ts'

export const messages: Translation<typeof english> = {
  lead: [
    'Eine Rolle entscheidet, was ein Mitglied in dieser Organisation darf. Sie können eigene Rollen hinzufügen.',
    'Eine Rolle entscheidet, was ein Mitglied in dieser Organisation darf. Du kannst eigene Rollen hinzufügen.',
  ],
  createRole: 'Rolle erstellen',
  edit: 'Bearbeiten',
  editRole: ({ role }) => `Rolle ${role} bearbeiten`,
  delete: 'Löschen',
  deleteQuestion: ({ role }) => `Rolle ${role} löschen?`,
  deleteText: 'Kein Mitglied hat sie mehr, und keine Einladung vergibt sie. Das lässt sich nicht rückgängig machen.',
  nameHint: 'Höchstens 64 Zeichen. Der Name wird in Kleinbuchstaben gespeichert.',
  permits: 'Was Mitglieder mit dieser Rolle dürfen',
  created: ({ role }) => `Die Rolle ${role} wurde erstellt.`,
  changed: ({ role }) => `Die Rolle ${role} wurde geändert. Mitglieder mit dieser Rolle dürfen jetzt, was sie erlaubt.`,
  deleted: ({ role }) => `Die Rolle ${role} wurde gelöscht.`,
  saveRole: 'Rolle speichern',
  ofOrganization: 'Von dieser Organisation',
}
