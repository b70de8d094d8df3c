import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  somethingWentWrong: 'Сталася помилка',
  lastStepFailed:
    'Не вдалося завершити останній крок. Поверніться назад і повторіть спробу. Якщо помилка повториться, зверніться до адміністрації сайту.',
  errorCode: 'Код помилки',
  requestId: 'ID запиту',
  returnToApplication: 'Повернутися до застосунку',
  emailChange: 'Зміна електронної адреси',
  emailChanged: 'Електронну адресу змінено',
  emailChangedTo: ({ email }) => `Тепер для входу використовуйте адресу ${email}.`,
  emailChangedLead: 'Тепер входьте з новою електронною адресою.',
  confirmNew: 'Залишився один крок: відкрийте другий лист',
  confirmNewLead: 'Ви підтвердили зміну. Ми надіслали ще один лист на нову адресу. Відкрийте посилання з нього, щоб завершити.',
  verifyNewLead: ({ email }) => `Ми надіслали лист на ${email}. Відкрийте посилання з нього, щоб підтвердити адресу.`,
  emailNotChanged: 'Електронну адресу не змінено',
  unauthorized: 'Відкрийте посилання в браузері, у якому ви ввійшли до облікового запису з електронною адресою, що змінюється.',
  changeAgain: 'Надіслати запит на зміну ще раз можна в обліковому записі.',
  accountDeletion: 'Видалення облікового запису',
  accountDeleted: 'Обліковий запис видалено',
  accountDeletedLead: ({ appName }) =>
    `Ваш обліковий запис ${appName} і його дані видалено, а сеанси на всіх пристроях завершено.`,
  signedOut: 'Ви вийшли з облікового запису',
  signedOutLead: ({ appName }) => `У цьому браузері ви більше не в обліковому записі ${appName}.`,
}
