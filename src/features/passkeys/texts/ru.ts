/** The texts in Russian. */
import type { MailTexts, ShortTexts } from '../../../core/message.ts'
import { codeLifetime } from '../code-lifetime.ts'
import type { Mails, Texts } from '../texts.ts'
import { deviceFact, passkeyFacts } from './facts.ts'

const labels = ['Ключ доступа', 'Устройство или менеджер паролей', 'Время'] as const

const notYours = 'Если это были не вы, возможно, доступ к аккаунту есть у кого-то ещё.'
const ifNotYou = (what: string): string => `Если это были не вы, ${what}: возможно, доступ к аккаунту есть у кого-то ещё.`

export const mails: MailTexts<Mails> = {
  'passkey-added': (notice, context) => ({
    subject: `В аккаунт ${context.appName} добавлен ключ доступа`,
    preheader: notYours,
    heading: 'Добавлен ключ доступа',
    paragraphs: [
      `Теперь с этим ключом доступа можно войти в ваш аккаунт ${context.appName}.`,
      ...(notice.isAutomatic ? ['Ваш браузер создал его, когда вы вошли по паролю.'] : []),
    ],
    facts: [...passkeyFacts(notice, context, labels), ...deviceFact(notice, 'Где добавлен', 'на')],
    ...context.button('/account/security', 'Это не я'),
    footnote: ifNotYou('удалите ключ доступа, смените пароль и завершите сеансы'),
  }),
  'passkey-removed': (notice, context) => ({
    subject: `Из аккаунта ${context.appName} удалён ключ доступа`,
    preheader: notYours,
    heading: 'Удалён ключ доступа',
    paragraphs: [`Войти в ваш аккаунт ${context.appName} с этим ключом доступа больше нельзя.`],
    facts: passkeyFacts(notice, context, labels),
    ...context.button('/account/security', 'Это не я'),
    footnote: `Если это были вы, удалите ключ доступа и в менеджере паролей. ${ifNotYou('смените пароль и завершите сеансы')}`,
  }),
  'passkey-cloned': (notice, context) => ({
    subject: `Ключ доступа аккаунта ${context.appName} приостановлен`,
    preheader: 'Возможно, ключ скопирован, поэтому войти с ним нельзя.',
    heading: 'Ключ доступа приостановлен',
    paragraphs: [
      'При входе с этим ключом доступа его счётчик уменьшился. Так бывает, если ключ скопирован.',
      'Вход не выполнен. Войдите другим способом и удалите ключ доступа или снова разрешите его, если знаете причину.',
    ],
    facts: passkeyFacts(notice, context, labels),
    ...context.button('/account/security', 'Проверить способы входа'),
  }),
  'passkey-sign-up': ({ code }, { appName, duration }) => ({
    subject: `${code} — ваш код ${appName}`,
    preheader: `Введите его, чтобы зарегистрироваться. Срок действия: ${duration(codeLifetime)}.`,
    heading: 'Код для регистрации',
    paragraphs: [
      `Введите этот код, чтобы зарегистрироваться в ${appName}. Срок действия: ${duration(codeLifetime)}. Никому его не сообщайте.`,
    ],
    facts: [['Код', code]],
    footnote: 'Если вы его не запрашивали, не обращайте внимания на это письмо.',
  }),
}

export const texts: ShortTexts<Texts> = {
  'passkey-added': (_, { appName }) =>
    `${appName}: в аккаунт добавлен ключ доступа. Это не вы? Сразу смените пароль и проверьте безопасность аккаунта.`,
}
