/** Texts of the roles that an organization makes itself. */
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './own-roles-en.ts'

export const messages: Translation<typeof english> = {
  lead: 'Роль визначає, що учасник може робити в цій організації. Ви можете додати власні ролі.',
  createRole: 'Створити роль',
  edit: 'Змінити',
  editRole: ({ role }) => `Змінити роль ${role}`,
  delete: 'Видалити',
  deleteQuestion: ({ role }) => `Видалити роль ${role}?`,
  deleteText: 'Її більше немає в жодного учасника й у жодному запрошенні. Цю дію не можна скасувати.',
  nameHint: 'До 64 символів. Назва зберігається малими літерами.',
  permits: 'Що можуть робити учасники з цією роллю',
  created: ({ role }) => `Роль ${role} створено.`,
  changed: ({ role }) => `Роль ${role} змінено. Учасники з цією роллю тепер можуть робити те, що вона дозволяє.`,
  deleted: ({ role }) => `Роль ${role} видалено.`,
  saveRole: 'Зберегти роль',
  ofOrganization: 'Цієї організації',
}
