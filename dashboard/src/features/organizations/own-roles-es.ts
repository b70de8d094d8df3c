/** Texts of the roles that an organization makes itself. */
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './own-roles-en.ts'

export const messages: Translation<typeof english> = {
  lead: 'Un rol decide qué puede hacer un miembro en esta organización. Puedes añadir roles a los de este sitio.',
  createRole: 'Crear rol',
  edit: 'Editar',
  editRole: ({ role }) => `Editar el rol ${role}`,
  delete: 'Eliminar',
  deleteQuestion: ({ role }) => `¿Eliminar el rol ${role}?`,
  deleteText: 'Ningún miembro lo tiene ya y ninguna invitación lo da. Esto no se puede deshacer.',
  nameHint: 'Hasta 64 caracteres. Se guarda en minúsculas.',
  permits: 'Qué pueden hacer los miembros con este rol',
  created: ({ role }) => `El rol ${role} se creó.`,
  changed: ({ role }) => `El rol ${role} se cambió. Los miembros que lo tienen pueden hacer lo que permite ahora.`,
  deleted: ({ role }) => `El rol ${role} se eliminó.`,
  saveRole: 'Guardar rol',
  ofOrganization: 'De esta organización',
}
