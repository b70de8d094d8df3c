import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './hosted-en.ts'

export const messages: Translation<typeof english> = {
  title: 'Умови',
  acceptTitle: 'Прийміть умови',
  acceptLead: ({ appName }) => `Прочитайте та прийміть їх, щоб перейти до облікового запису ${appName}.`,
  changedTitle: 'Наші умови змінилися',
  changedLead: ({ appName }) => `Прочитайте, що нового, і прийміть їх, щоб перейти до облікового запису ${appName}.`,
  version: ({ version }) => `Версія ${version}`,
  replaces: ({ version, former }) => `Версія ${version}. Раніше ви прийняли версію ${former}.`,
  whatIsNew: 'Що нового:',
  read: ({ title }) => `Відкрити в новій вкладці: ${title}`,
  accept: 'Прийняти й продовжити',
  notNow: 'Не зараз',
  // Dates end with "р.".
  postponeUntil: ({ date }) => `Це можна відкласти до ${date}`,
  decline: 'Відхилити',
  cancel: 'Скасувати вхід',
  declined: 'Ви відхилили умови',
  declinedLead: 'Без них увійти не можна. Ви можете забрати свої дані й видалити обліковий запис.',
  exportTitle: 'Ваші дані',
  exportText: 'Один файл JSON з усіма збереженими даними про вас.',
  exportData: 'Завантажити дані',
  deleteTitle: 'Ваш обліковий запис',
  deleteText: ({ email }) => `Обліковий запис ${email} і всі його дані буде видалено. Цю дію не можна скасувати.`,
  deleteAccount: 'Видалити обліковий запис',
  sendLink: 'Надіслати посилання для видалення',
  sendLinkText: ({ email }) => `Ми надішлемо посилання на ${email}. Відкрийте його в цьому браузері, доки не минув час на вхід.`,
  linkSent: ({ email }) =>
    `Ми надіслали посилання на ${email}. Обліковий запис не буде видалено, доки ви не відкриєте його й не підтвердите видалення.`,
  back: 'Повернутися до умов',
  signIn: 'Увійти',
  linkFailed: 'За цим посиланням не можна видалити ваш обліковий запис',
  linkFailedLead:
    'Посилання вже використано, термін його дії минув або закінчився час на вхід. Увійдіть і отримайте нове посилання.',
  confirmDeletion: 'Видалити обліковий запис?',
}
