import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  deleteAccount: 'Видалити обліковий запис',
  deleteLead: 'Видалення облікового запису не можна скасувати.',
  whatIsDeleted: 'Що буде видалено',
  confirmation: 'Підтвердження',
  confirmationText: 'Щоб не видалити обліковий запис помилково.',
  deletedProfile: 'Ваш профіль і всі дані в ньому',
  deletedMethods: 'Ваші способи входу: увійти знову не вдасться',
  deletedSessions: 'Ваші сеанси: вони завершаться на всіх пристроях і в застосунках',
  deletedOrganizations: 'Ваші організації, у яких немає інших учасників',
  handOverFirst: 'Ви останній власник організації, у якій є інші учасники? Спершу зробіть власником іншого учасника.',
  organizationsLink: 'Ваші організації',
  exportFirst: 'Хочете зберегти копію?',
  exportLink: 'Експортувати дані',
  typeEmail: ({ email }) => `Введіть ${email} для підтвердження`,
  password: 'Ваш пароль',
  sendLink: 'Надіслати посилання для видалення',
  sendLinkText: ({ email }) => `Ми надішлемо посилання на ${email}. Відкрийте його й підтвердьте видалення облікового запису.`,
  linkSent: 'Перевірте пошту',
  linkSentText: ({ email }) =>
    `Ми надіслали посилання на ${email}. Обліковий запис не буде видалено, доки ви не відкриєте його й не підтвердите видалення.`,
  confirmDeletion: 'Видалити обліковий запис?',
  confirmDeletionLead: 'Цей обліковий запис і всі його дані буде видалено. Цю дію не можна скасувати.',
  keepAccount: 'Залишити обліковий запис',
  linkFailed: 'За цим посиланням не можна видалити ваш обліковий запис',
  linkFailedLead: ({ email }) =>
    `Ви ввійшли як ${email}. Посилання вже використане, застаріле, неповне або стосується іншого облікового запису.`,
  requestNewLink: 'Отримати нове посилання',
  useAnotherAccount: 'Увійти до іншого облікового запису',
}
