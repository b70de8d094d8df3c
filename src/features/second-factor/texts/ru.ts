/** The texts in Russian. */
import type { MailTexts, ShortTexts, TextContext } from '../../../core/message.ts'
import { bound } from '../code-messages.ts'
import { noticeIn } from '../factor-notice.ts'
import type { Mails, Texts } from '../texts.ts'
import { resetMails, resetTexts } from './reset-ru.ts'

const notice = (write: Parameters<typeof noticeIn>[1]) =>
  noticeIn(
    {
      ...{
        factor: 'Второй фактор',
        time: 'Время',
        device: 'Устройство',
        ipAddress: 'IP-адрес',
        on: 'на',
        review: 'Проверить безопасность',
      },
      names: { totp: 'Приложение-аутентификатор', otp: 'Отправляемые коды', passkey: 'Ключ доступа' },
    },
    write,
  )

const notYou =
  'Если это были не вы, сразу смените пароль и проверьте вторые факторы: возможно, доступ к аккаунту есть у кого-то ещё.'
const codesLeft = (left: number | null, { plural }: TextContext) =>
  plural(left ?? 0, {
    one: 'Остался # резервный код',
    few: 'Осталось # резервных кода',
    many: 'Осталось # резервных кодов',
    other: 'Осталось # резервного кода',
  })

const added = (appName: string, what: string) =>
  `${appName}: ${what} Это не вы? Сразу смените пароль и проверьте безопасность аккаунта.`

export const mails: MailTexts<Mails> = {
  'two-factor-enabled': notice((_, { appName: app }) => ({
    subject: `В аккаунт ${app} добавлен второй фактор`,
    heading: 'Добавлен второй фактор',
    paragraphs: ['Теперь при входе в аккаунт будет запрашиваться второй фактор.'],
    footnote: notYou,
  })),
  'two-factor-disabled': notice((_, { appName: app }) => ({
    subject: `Из аккаунта ${app} удалён второй фактор`,
    heading: 'Удалён второй фактор',
    paragraphs: ['Его больше нельзя использовать для входа в аккаунт.'],
    footnote: notYou,
  })),
  'backup-code-used': notice(({ left }, context) => ({
    subject: `Использован резервный код аккаунта ${context.appName}`,
    heading: 'Использован резервный код',
    paragraphs: [`${codesLeft(left, context)}.`],
    footnote: notYou,
  })),
  'backup-codes-low': notice(({ left }, context) => ({
    subject: `Для аккаунта ${context.appName} осталось мало резервных кодов`,
    heading: codesLeft(left, context),
    paragraphs: ['Создайте новые резервные коды, чтобы можно было войти, если вы потеряете телефон.'],
    footnote: 'Когда вы создадите новые коды, прежние перестанут действовать.',
  })),
  'backup-codes-created': notice((_, { appName: app }) => ({
    subject: `Новые резервные коды аккаунта ${app}`,
    heading: 'Созданы новые резервные коды',
    paragraphs: ['Прежние коды больше не действуют.'],
    footnote: notYou,
  })),
  'password-may-be-known': notice((_, { appName: app }) => ({
    subject: `Возможно, ваш пароль ${app} знает кто-то ещё`,
    heading: 'Возможно, ваш пароль знает кто-то ещё',
    paragraphs: [
      'Кто-то указал верный пароль или использовал другой способ входа, но не второй фактор. Доступ к аккаунту он не получил.',
    ],
    footnote: 'Если это были вы, ничего делать не нужно. Если нет, сразу смените пароль.',
  })),
  'trusted-browser-copied': notice((_, { appName: app }) => ({
    subject: `Скопированы данные доверенного браузера аккаунта ${app}`,
    heading: 'Скопированы данные доверенного браузера',
    paragraphs: ['Кто-то использовал старую копию файла cookie доверенного браузера. Этот браузер больше не доверенный.'],
    footnote: 'Проверьте сеансы и смените пароль, если какой-то из них вам незнаком.',
  })),
  'two-factor-suspended': notice((_, { appName: app }) => ({
    subject: `Коды для аккаунта ${app} отключены`,
    heading: 'Коды отключены',
    paragraphs: [
      'Для вашего аккаунта слишком много раз введён неверный код. Войдите с резервным кодом и заново настройте приложение-аутентификатор.',
      'Если вы ещё не настроили второй фактор, сначала смените пароль. После этого коды снова будут отправляться.',
    ],
    footnote: 'Кто-то знает ваш пароль. Смените его сразу после входа.',
  })),
  'two-factor-code': ({ otp }, { appName, config, duration }) => ({
    subject: `${otp} — ваш код ${appName}`,
    preheader: 'Он завершает вход.',
    heading: otp,
    paragraphs: [
      `Этот код завершает вход в аккаунт ${appName}. Срок действия: ${duration(config.twoFactor.otpOptions.period * 60)}.`,
    ],
    footnote: 'Никому его не сообщайте. Если вы не пытались войти, ваш пароль знает кто-то ещё: сразу смените его.',
  }),
  ...resetMails,
}

export const texts: ShortTexts<Texts> = {
  'two-factor-code': ({ otp }, { appName, config, duration }) =>
    `${otp} — ваш код ${appName}. Срок действия: ${duration(config.twoFactor.otpOptions.period * 60)}. Никому его не сообщайте.${bound(config, otp)}`,
  'two-factor-enabled': (_, { appName }) => added(appName, 'в аккаунт добавлен второй фактор.'),
  'backup-codes-created': (_, { appName }) => added(appName, 'для аккаунта созданы новые резервные коды.'),
  ...resetTexts,
}
