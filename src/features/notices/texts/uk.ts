/** The texts in Ukrainian. */
import type { MailContent, MailTexts, TextContext } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { deviceIn, signInFacts, supportOf } from './facts.ts'

const wasYou = 'Якщо це були ви, нічого робити не потрібно.'

const facts = { time: 'Час', device: 'Пристрій', ipAddress: 'IP-адреса', on: 'на' }

const passwordRemoved = ({ appName }: TextContext): MailContent => ({
  subject: `Пароль облікового запису ${appName} вилучено`,
  preheader: 'Можливо, його задав хтось інший до того, як ви підтвердили електронну адресу.',
  heading: 'Пароль вилучено',
  paragraphs: [
    `Пароль вашого облікового запису ${appName} було задано до того, як ви підтвердили електронну адресу. Можливо, це зробив хтось інший, тому пароль більше не діє.`,
  ],
  footnote: 'Щоб знову входити за паролем, надішліть запит на скидання пароля й задайте новий.',
})

export const mails: MailTexts<Mails> = {
  'sign-in-method-removed': ({ providerId, reason }, context) =>
    reason === 'email-verified'
      ? passwordRemoved(context)
      : {
          subject: `Вилучено спосіб входу до облікового запису ${context.appName}`,
          preheader: 'Якщо це були не ви, негайно змініть пароль.',
          heading: 'Вилучено спосіб входу',
          paragraphs: [`Увійти до вашого облікового запису ${context.appName} цим способом більше не можна.`],
          facts: [['Спосіб входу', providerId === 'credential' ? 'Пароль' : providerId]],
          footnote: `${wasYou} Якщо ні, негайно змініть пароль: можливо, доступ до облікового запису має хтось інший.`,
        },
  'account-banned': ({ expiresAt }, { appName, time }) => ({
    subject: `Ваш обліковий запис ${appName} заблоковано`,
    preheader:
      expiresAt === null ? 'Увійти до облікового запису більше не можна.' : `Увійти знову можна буде після ${time(expiresAt)}.`,
    heading: 'Обліковий запис заблоковано',
    paragraphs: [
      `Адміністратор заблокував ваш обліковий запис ${appName}. Усі його сеанси завершено.`,
      expiresAt === null ? 'Блокування безстрокове.' : `Кінець блокування: ${time(expiresAt)}.`,
    ],
    footnote: 'Якщо ви вважаєте, що це помилка, зверніться до служби підтримки.',
  }),
  'account-deleted': (_, { appName }) => ({
    subject: `Ваш обліковий запис ${appName} видалено`,
    preheader: 'Облікового запису та його даних більше немає.',
    heading: 'Обліковий запис видалено',
    paragraphs: [`Ваш обліковий запис ${appName} і його дані видалено.`],
    footnote: 'Якщо це для вас несподіванка, зверніться до служби підтримки.',
  }),
  'account-impersonated': ({ time, endsAt }, context) => ({
    subject: `Адміністратор відкрив ваш обліковий запис ${context.appName}`,
    preheader: 'Адміністратор може недовгий час користуватися вашим обліковим записом.',
    heading: 'Адміністратор відкрив ваш обліковий запис',
    paragraphs: [
      `Адміністратор ${context.appName} відкрив ваш обліковий запис, щоб побачити те саме, що й ви. Змінити пароль і способи входу він не може.`,
    ],
    facts: [
      ['Час', context.time(time)],
      ['Кінець не пізніше', context.time(endsAt)],
    ],
    footnote: `Якщо це для вас несподіванка, напишіть до служби підтримки${supportOf(context) ? `: ${supportOf(context)}` : ''}.`,
  }),
  'new-sign-in': (notice, context) => ({
    subject: `Новий вхід до облікового запису ${context.appName}`,
    preheader: ['З нового пристрою або з нової мережі', deviceIn(notice.device, facts.on)].filter(Boolean).join(': '),
    heading: 'Новий вхід до облікового запису',
    paragraphs: [
      `До вашого облікового запису ${context.appName} увійшли з нового пристрою або з нової мережі.`,
      ...(notice.hasReplaced ? ['Попередній сеанс у цьому самому браузері або програмі завершено.'] : []),
    ],
    facts: signInFacts(notice, context, facts),
    ...context.button('/account/sessions', 'Перевірити сеанси'),
    footnote: `${wasYou} Якщо ні, змініть пароль і завершіть цей сеанс: доступ до облікового запису має хтось інший.`,
  }),
  'session-limit': ({ sessionsEnded, maxSessions, ...signIn }, context) => {
    const ended = context.plural(sessionsEnded, {
      one: 'завершено # найстаріший сеанс',
      few: 'завершено # найстаріші сеанси',
      many: 'завершено # найстаріших сеансів',
      other: 'завершено # найстарішого сеансу',
    })
    return {
      subject: `Новий вхід до облікового запису ${context.appName}: ${ended}`,
      preheader: context.plural(maxSessions, {
        one: 'Ваш обліковий запис може мати не більше ніж # сеанс.',
        few: 'Ваш обліковий запис може мати не більше ніж # сеанси.',
        many: 'Ваш обліковий запис може мати не більше ніж # сеансів.',
        other: 'Ваш обліковий запис може мати не більше ніж # сеансу.',
      }),
      heading: `Новий вхід: ${ended}`,
      paragraphs: [
        `У вашому обліковому записі ${context.appName} досягнуто максимальної кількості сеансів: ${maxSessions}. Під час нового входу ${ended}, тому в якомусь браузері або програмі може знадобитися ввійти знову.`,
      ],
      facts: signInFacts(signIn, context, facts),
      ...context.button('/account/sessions', 'Перевірити сеанси'),
      footnote:
        'Якщо ваша програма входить під час кожного запуску, нехай вона зберігає сеанс або використовує ключ API. Якщо цей вхід вам незнайомий, змініть пароль: доступ до облікового запису має хтось інший.',
    }
  },
}
