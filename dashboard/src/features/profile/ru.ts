import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  profile: 'Профиль',
  profileLead: 'Личные данные вашего аккаунта.',
  account: 'Аккаунт',
  accountText: 'Ваше фото и ID, по которому вас найдёт служба поддержки.',
  details: 'Личные данные',
  detailsText: 'Ваше имя и то, что запрашивает этот сайт.',
  name: 'Имя',
  created: 'Дата создания аккаунта',
  userId: 'ID пользователя',
  copyUserId: 'Скопировать ID пользователя',
  changePicture: 'Изменить фото',
  addPicture: 'Добавить фото',
  removePicture: 'Удалить фото',
  cropPicture: 'Выберите часть фото',
  cropHint: 'Перетащите фото или используйте ползунки.',
  cropZoom: 'Масштаб',
  cropAcross: 'Влево и вправо',
  cropDown: 'Вверх и вниз',
  usePicture: 'Использовать фото',
  pictureHint: 'Приложения могут показывать его всем, кому видно ваше имя.',
  pictureSaved: 'Фото сохранено.',
  pictureRemoved: 'Фото удалено.',
  save: 'Сохранить профиль',
  saved: 'Профиль сохранён.',
}
