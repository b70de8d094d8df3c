import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  somethingWentWrong: 'Произошла ошибка',
  lastStepFailed:
    'Не удалось завершить последний шаг. Вернитесь назад и повторите попытку. Если ошибка повторится, обратитесь к администрации сайта.',
  errorCode: 'Код ошибки',
  requestId: 'ID запроса',
  returnToApplication: 'Вернуться в приложение',
  emailChange: 'Изменение адреса электронной почты',
  emailChanged: 'Адрес электронной почты изменён',
  emailChangedTo: ({ email }) => `Теперь для входа используйте адрес ${email}.`,
  emailChangedLead: 'Теперь входите с новым адресом электронной почты.',
  confirmNew: 'Остался один шаг: откройте второе письмо',
  confirmNewLead:
    'Вы подтвердили изменение. Мы отправили ещё одно письмо на новый адрес. Откройте ссылку из него, чтобы завершить.',
  verifyNewLead: ({ email }) => `Мы отправили письмо на ${email}. Откройте ссылку из него, чтобы подтвердить адрес.`,
  emailNotChanged: 'Адрес электронной почты не изменён',
  unauthorized: 'Откройте ссылку в браузере, в котором вы вошли в аккаунт с изменяемым адресом электронной почты.',
  changeAgain: 'Запросить изменение ещё раз можно в аккаунте.',
  accountDeletion: 'Удаление аккаунта',
  accountDeleted: 'Аккаунт удалён',
  accountDeletedLead: ({ appName }) => `Ваш аккаунт ${appName} и его данные удалены, а сеансы на всех устройствах завершены.`,
  signedOut: 'Вы вышли из аккаунта',
  signedOutLead: ({ appName }) => `В этом браузере вы больше не в аккаунте ${appName}.`,
}
