/** Texts of the roles that an organization makes itself. */
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './own-roles-en.ts'

export const messages: Translation<typeof english> = {
  lead: 'Роль определяет, что участник может делать в этой организации. Вы можете добавить свои роли.',
  createRole: 'Создать роль',
  edit: 'Изменить',
  editRole: ({ role }) => `Изменить роль ${role}`,
  delete: 'Удалить',
  deleteQuestion: ({ role }) => `Удалить роль ${role}?`,
  deleteText: 'Её больше нет ни у одного участника и ни в одном приглашении. Это действие необратимо.',
  nameHint: 'До 64 символов. Название хранится строчными буквами.',
  permits: 'Что могут делать участники с этой ролью',
  created: ({ role }) => `Роль ${role} создана.`,
  changed: ({ role }) => `Роль ${role} изменена. Участники с этой ролью теперь могут делать то, что она разрешает.`,
  deleted: ({ role }) => `Роль ${role} удалена.`,
  saveRole: 'Сохранить роль',
  ofOrganization: 'Этой организации',
}
