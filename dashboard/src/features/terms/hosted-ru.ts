import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './hosted-en.ts'

export const messages: Translation<typeof english> = {
  title: 'Условия',
  acceptTitle: 'Примите условия',
  acceptLead: ({ appName }) => `Прочитайте и примите их, чтобы перейти в аккаунт ${appName}.`,
  changedTitle: 'Наши условия изменились',
  changedLead: ({ appName }) => `Прочитайте, что нового, и примите их, чтобы перейти в аккаунт ${appName}.`,
  version: ({ version }) => `Версия ${version}`,
  replaces: ({ version, former }) => `Версия ${version}. Ранее вы приняли версию ${former}.`,
  whatIsNew: 'Что нового:',
  read: ({ title }) => `Открыть в новой вкладке: ${title}`,
  accept: 'Принять и продолжить',
  notNow: 'Не сейчас',
  // Dates end with "г.".
  postponeUntil: ({ date }) => `Это можно отложить до ${date}`,
  decline: 'Отклонить',
  cancel: 'Отменить вход',
  declined: 'Вы отклонили условия',
  declinedLead: 'Без них войти нельзя. Вы можете забрать свои данные и удалить аккаунт.',
  exportTitle: 'Ваши данные',
  exportText: 'Один файл JSON со всеми сохранёнными данными о вас.',
  exportData: 'Скачать данные',
  deleteTitle: 'Ваш аккаунт',
  deleteText: ({ email }) => `Аккаунт ${email} и все его данные будут удалены. Это действие нельзя отменить.`,
  deleteAccount: 'Удалить аккаунт',
  sendLink: 'Отправить ссылку для удаления',
  sendLinkText: ({ email }) => `Мы отправим ссылку на ${email}. Откройте её в этом браузере, пока не истекло время на вход.`,
  linkSent: ({ email }) =>
    `Мы отправили ссылку на ${email}. Аккаунт не будет удалён, пока вы не откроете её и не подтвердите удаление.`,
  back: 'Вернуться к условиям',
  signIn: 'Войти',
  linkFailed: 'По этой ссылке нельзя удалить ваш аккаунт',
  linkFailedLead:
    'Ссылка уже использована, срок её действия истёк или закончилось время на вход. Войдите и запросите новую ссылку.',
  confirmDeletion: 'Удалить аккаунт?',
}
