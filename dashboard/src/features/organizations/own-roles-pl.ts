/** Texts of the roles that an organization makes itself. */
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './own-roles-en.ts'

export const messages: Translation<typeof english> = {
  lead: 'Rola decyduje o tym, co członek może robić w tej organizacji. Możesz dodać własne role.',
  createRole: 'Utwórz rolę',
  edit: 'Edytuj',
  editRole: ({ role }) => `Edytuj rolę ${role}`,
  delete: 'Usuń',
  deleteQuestion: ({ role }) => `Usunąć rolę ${role}?`,
  deleteText: 'Żaden członek jej już nie ma i nie daje jej żadne zaproszenie. Tej operacji nie można cofnąć.',
  nameHint: 'Najwyżej 64 znaki. Nazwa jest zapisywana małymi literami.',
  permits: 'Co mogą robić członkowie z tą rolą',
  created: ({ role }) => `Rola ${role} została utworzona.`,
  changed: ({ role }) => `Rola ${role} została zmieniona. Członkowie, którzy ją mają, mogą teraz to, na co pozwala.`,
  deleted: ({ role }) => `Rola ${role} została usunięta.`,
  saveRole: 'Zapisz rolę',
  ofOrganization: 'Z tej organizacji',
}
