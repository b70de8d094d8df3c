/** Texts of the roles that an organization makes itself. */
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './own-roles-en.ts'

export const messages: Translation<typeof english> = {
  lead: 'Un rôle décide de ce qu’un membre peut faire dans cette organisation. Vous pouvez ajouter des rôles à ceux de ce site.',
  createRole: 'Créer un rôle',
  edit: 'Modifier',
  editRole: ({ role }) => `Modifier le rôle ${role}`,
  delete: 'Supprimer',
  deleteQuestion: ({ role }) => `Supprimer le rôle ${role}\u202f?`,
  deleteText: 'Aucun membre ne l’a plus et aucune invitation ne l’attribue. Cette action est irréversible.',
  nameHint: '64 caractères au plus. Le nom est enregistré en minuscules.',
  permits: 'Ce que peuvent faire les membres avec ce rôle',
  created: ({ role }) => `Le rôle ${role} a été créé.`,
  changed: ({ role }) => `Le rôle ${role} a été modifié. Les membres qui l’ont peuvent faire ce qu’il permet maintenant.`,
  deleted: ({ role }) => `Le rôle ${role} a été supprimé.`,
  saveRole: 'Enregistrer le rôle',
  ofOrganization: 'De cette organisation',
}
