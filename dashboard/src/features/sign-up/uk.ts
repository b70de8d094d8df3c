import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  invite: 'Посилання-запрошення',
  inviteTitle: ({ appName }) => `Вас запрошують до сервісу ${appName}`,
  inviteLead: 'Створіть обліковий запис, щоб прийняти запрошення.',
  inviteToOrganization: ({ organization }) => `Вас запрошують до організації «${organization}»`,
  createAccount: 'Створити обліковий запис',
  haveAccount: 'Уже є обліковий запис?',
  signIn: 'Увійти',
  joinLead: ({ email, organization }) => `Ви ввійшли як ${email}. Ви вступите до організації «${organization}».`,
  join: ({ organization }) => `Вступити до організації «${organization}»`,
  alreadySignedIn: ({ email }) => `Ви ввійшли як ${email}. Це посилання — для тих, хто не має облікового запису.`,
  useAnotherAccount: 'Увійти до іншого облікового запису',
  unusable: 'Це посилання-запрошення більше не діє',
  unusableLead: 'Термін його дії минув, ліміт використань вичерпано або його відкликано. Попросіть нове.',
  waitingList: 'Список очікування',
  waitingListLead: ({ appName }) =>
    `Залиште свою електронну адресу. Ми напишемо вам, коли можна буде створити обліковий запис ${appName}.`,
  email: 'Електронна адреса',
  name: 'Ім’я',
  joinWaitingList: 'Записатися до списку очікування',
  onTheList: 'Дякуємо',
  onTheListLead: ({ email }) => `Ми напишемо на ${email}, коли можна буде створити обліковий запис.`,
  approved: 'Вашу заявку вже схвалили?',
}
