/** The texts in Ukrainian. */
import type { MailTexts, ShortTexts, TextContext } from '../../../core/message.ts'
import { bound } from '../code-messages.ts'
import { noticeIn } from '../factor-notice.ts'
import type { Mails, Texts } from '../texts.ts'
import { resetMails, resetTexts } from './reset-uk.ts'

const notice = (write: Parameters<typeof noticeIn>[1]) =>
  noticeIn(
    {
      ...{
        factor: 'Другий фактор',
        time: 'Час',
        device: 'Пристрій',
        ipAddress: 'IP-адреса',
        on: 'на',
        review: 'Перевірити безпеку',
      },
      names: { totp: 'Застосунок для автентифікації', otp: 'Коди, що надсилаються', passkey: 'Ключ доступу' },
    },
    write,
  )

const notYou =
  'Якщо це були не ви, негайно змініть пароль і перевірте другі фактори: можливо, доступ до облікового запису має хтось інший.'
const codesLeft = (left: number | null, { plural }: TextContext) =>
  plural(left ?? 0, {
    one: 'Залишився # резервний код',
    few: 'Залишилося # резервні коди',
    many: 'Залишилося # резервних кодів',
    other: 'Залишилося # резервного коду',
  })

const added = (appName: string, what: string) =>
  `${appName}: ${what} Це не ви? Негайно змініть пароль і перевірте безпеку облікового запису.`

export const mails: MailTexts<Mails> = {
  'two-factor-enabled': notice((_, { appName: app }) => ({
    subject: `До облікового запису ${app} додано другий фактор`,
    heading: 'Додано другий фактор',
    paragraphs: ['Відтепер для входу до облікового запису потрібен другий фактор.'],
    footnote: notYou,
  })),
  'two-factor-disabled': notice((_, { appName: app }) => ({
    subject: `З облікового запису ${app} вилучено другий фактор`,
    heading: 'Вилучено другий фактор',
    paragraphs: ['Його більше не можна використовувати для входу до облікового запису.'],
    footnote: notYou,
  })),
  'backup-code-used': notice(({ left }, context) => ({
    subject: `Використано резервний код облікового запису ${context.appName}`,
    heading: 'Використано резервний код',
    paragraphs: [`${codesLeft(left, context)}.`],
    footnote: notYou,
  })),
  'backup-codes-low': notice(({ left }, context) => ({
    subject: `Для облікового запису ${context.appName} залишилося мало резервних кодів`,
    heading: codesLeft(left, context),
    paragraphs: ['Створіть нові резервні коди, щоб можна було ввійти, якщо ви втратите телефон.'],
    footnote: 'Коли ви створите нові коди, попередні перестануть діяти.',
  })),
  'backup-codes-created': notice((_, { appName: app }) => ({
    subject: `Нові резервні коди облікового запису ${app}`,
    heading: 'Створено нові резервні коди',
    paragraphs: ['Попередні коди більше не діють.'],
    footnote: notYou,
  })),
  'password-may-be-known': notice((_, { appName: app }) => ({
    subject: `Можливо, ваш пароль ${app} знає хтось інший`,
    heading: 'Можливо, ваш пароль знає хтось інший',
    paragraphs: [
      'Хтось указав правильний пароль або скористався іншим способом входу, але не другим фактором. Доступу до облікового запису він не отримав.',
    ],
    footnote: 'Якщо це були ви, нічого робити не потрібно. Якщо ні, негайно змініть пароль.',
  })),
  'trusted-browser-copied': notice((_, { appName: app }) => ({
    subject: `Скопійовано дані довіреного браузера облікового запису ${app}`,
    heading: 'Скопійовано дані довіреного браузера',
    paragraphs: ['Хтось використав стару копію файлу cookie довіреного браузера. Цей браузер більше не довірений.'],
    footnote: 'Перевірте сеанси та змініть пароль, якщо якийсь із них вам незнайомий.',
  })),
  'two-factor-suspended': notice((_, { appName: app }) => ({
    subject: `Коди для облікового запису ${app} вимкнено`,
    heading: 'Коди вимкнено',
    paragraphs: [
      'Для вашого облікового запису забагато разів введено неправильний код. Увійдіть із резервним кодом і знову налаштуйте застосунок для автентифікації.',
      'Якщо ви ще не налаштували другий фактор, спершу змініть пароль. Після цього коди знову надсилатимуться.',
    ],
    footnote: 'Хтось знає ваш пароль. Змініть його відразу після входу.',
  })),
  'two-factor-code': ({ otp }, { appName, config, duration }) => ({
    subject: `${otp} — ваш код ${appName}`,
    preheader: 'Він завершує вхід.',
    heading: otp,
    paragraphs: [
      `Цей код завершує вхід до облікового запису ${appName}. Термін дії: ${duration(config.twoFactor.otpOptions.period * 60)}.`,
    ],
    footnote: 'Нікому його не повідомляйте. Якщо ви не намагалися ввійти, ваш пароль знає хтось інший: негайно змініть його.',
  }),
  ...resetMails,
}

export const texts: ShortTexts<Texts> = {
  'two-factor-code': ({ otp }, { appName, config, duration }) =>
    `${otp} — ваш код ${appName}. Термін дії: ${duration(config.twoFactor.otpOptions.period * 60)}. Нікому його не повідомляйте.${bound(config, otp)}`,
  'two-factor-enabled': (_, { appName }) => added(appName, 'до облікового запису додано другий фактор.'),
  'backup-codes-created': (_, { appName }) => added(appName, 'для облікового запису створено нові резервні коди.'),
  ...resetTexts,
}
