import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  profile: 'Профіль',
  profileLead: 'Особисті дані вашого облікового запису.',
  account: 'Обліковий запис',
  accountText: 'Ваше фото та ID, за яким вас знайде служба підтримки.',
  details: 'Особисті дані',
  detailsText: 'Ваше ім’я та те, що запитує цей сайт.',
  name: 'Ім’я',
  created: 'Дата створення облікового запису',
  userId: 'ID користувача',
  copyUserId: 'Скопіювати ID користувача',
  changePicture: 'Змінити фото',
  addPicture: 'Додати фото',
  removePicture: 'Вилучити фото',
  cropPicture: 'Виберіть частину фото',
  cropHint: 'Перетягніть фото або скористайтеся повзунками.',
  cropZoom: 'Масштаб',
  cropAcross: 'Ліворуч і праворуч',
  cropDown: 'Вгору й вниз',
  usePicture: 'Використати фото',
  pictureHint: 'Застосунки можуть показувати його всім, хто бачить ваше ім’я.',
  pictureSaved: 'Фото збережено.',
  pictureRemoved: 'Фото вилучено.',
  save: 'Зберегти профіль',
  saved: 'Профіль збережено.',
}
