import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './admission-en.ts'

export const messages: Translation<typeof english> = {
  invitationOpened: 'Запрошення готове. Створіть обліковий запис, щоб прийняти його.',
  needsInvitation: 'Щоб створити обліковий запис, потрібне запрошення. Спочатку відкрийте посилання-запрошення.',
  needsInvitationOrAddress:
    'Щоб створити обліковий запис, потрібне запрошення. Спочатку відкрийте посилання-запрошення або вкажіть електронну адресу, на яку воно надійшло.',
  needsApproval: 'Обліковий запис можна створити після схвалення заявки.',
  notYet:
    'З цією електронною адресою поки не можна створити обліковий запис. Запишіться до списку очікування, і ми напишемо вам.',
  joinWaitingList: 'Записатися до списку очікування',
}
