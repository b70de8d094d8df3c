/** The texts in Ukrainian. */
import type { MailTexts, ShortTexts } from '../../../core/message.ts'
import { codeLifetime } from '../code-lifetime.ts'
import type { Mails, Texts } from '../texts.ts'
import { deviceFact, passkeyFacts } from './facts.ts'

const labels = ['Ключ доступу', 'Пристрій або менеджер паролів', 'Час'] as const

const notYours = 'Якщо це були не ви, можливо, доступ до облікового запису має хтось інший.'
const ifNotYou = (what: string): string => `Якщо це були не ви, ${what}: можливо, доступ до облікового запису має хтось інший.`

export const mails: MailTexts<Mails> = {
  'passkey-added': (notice, context) => ({
    subject: `До облікового запису ${context.appName} додано ключ доступу`,
    preheader: notYours,
    heading: 'Додано ключ доступу',
    paragraphs: [
      `Тепер із цим ключем доступу можна ввійти до вашого облікового запису ${context.appName}.`,
      ...(notice.isAutomatic ? ['Ваш браузер створив його, коли ви ввійшли за паролем.'] : []),
    ],
    facts: [...passkeyFacts(notice, context, labels), ...deviceFact(notice, 'Де додано', 'на')],
    ...context.button('/account/security', 'Це не я'),
    footnote: ifNotYou('вилучіть ключ доступу, змініть пароль і завершіть сеанси'),
  }),
  'passkey-removed': (notice, context) => ({
    subject: `З облікового запису ${context.appName} вилучено ключ доступу`,
    preheader: notYours,
    heading: 'Вилучено ключ доступу',
    paragraphs: [`Увійти до вашого облікового запису ${context.appName} з цим ключем доступу більше не можна.`],
    facts: passkeyFacts(notice, context, labels),
    ...context.button('/account/security', 'Це не я'),
    footnote: `Якщо це були ви, видаліть ключ доступу і в менеджері паролів. ${ifNotYou('змініть пароль і завершіть сеанси')}`,
  }),
  'passkey-cloned': (notice, context) => ({
    subject: `Ключ доступу облікового запису ${context.appName} призупинено`,
    preheader: 'Можливо, ключ скопійовано, тому ввійти з ним не можна.',
    heading: 'Ключ доступу призупинено',
    paragraphs: [
      'Під час входу з цим ключем доступу його лічильник зменшився. Так буває, якщо ключ скопійовано.',
      'Вхід не виконано. Увійдіть іншим способом і вилучіть ключ доступу або знову дозвольте його, якщо знаєте причину.',
    ],
    facts: passkeyFacts(notice, context, labels),
    ...context.button('/account/security', 'Перевірити способи входу'),
  }),
  'passkey-sign-up': ({ code }, { appName, duration }) => ({
    subject: `${code} — ваш код ${appName}`,
    preheader: `Введіть його, щоб зареєструватися. Термін дії: ${duration(codeLifetime)}.`,
    heading: 'Код для реєстрації',
    paragraphs: [
      `Введіть цей код, щоб зареєструватися в ${appName}. Термін дії: ${duration(codeLifetime)}. Нікому його не повідомляйте.`,
    ],
    facts: [['Код', code]],
    footnote: 'Якщо ви не надсилали цього запиту, не зважайте на цей лист.',
  }),
}

export const texts: ShortTexts<Texts> = {
  'passkey-added': (_, { appName }) =>
    `${appName}: до облікового запису додано ключ доступу. Це не ви? Негайно змініть пароль і перевірте безпеку облікового запису.`,
}
