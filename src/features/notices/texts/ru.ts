/** The texts in Russian. */
import type { MailContent, MailTexts, TextContext } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { deviceIn, signInFacts, supportOf } from './facts.ts'

const wasYou = 'Если это были вы, ничего делать не нужно.'

const facts = { time: 'Время', device: 'Устройство', ipAddress: 'IP-адрес', on: 'на' }

const passwordRemoved = ({ appName }: TextContext): MailContent => ({
  subject: `Пароль аккаунта ${appName} удалён`,
  preheader: 'Возможно, его задал кто-то другой до того, как вы подтвердили адрес электронной почты.',
  heading: 'Пароль удалён',
  paragraphs: [
    `Пароль вашего аккаунта ${appName} задан до того, как был подтверждён ваш адрес электронной почты. Возможно, это сделал кто-то другой, поэтому пароль больше не действует.`,
  ],
  footnote: 'Чтобы снова входить по паролю, запросите сброс пароля и задайте новый.',
})

export const mails: MailTexts<Mails> = {
  'sign-in-method-removed': ({ providerId, reason }, context) =>
    reason === 'email-verified'
      ? passwordRemoved(context)
      : {
          subject: `Удалён способ входа в аккаунт ${context.appName}`,
          preheader: 'Если это были не вы, сразу смените пароль.',
          heading: 'Удалён способ входа',
          paragraphs: [`Войти в ваш аккаунт ${context.appName} этим способом больше нельзя.`],
          facts: [['Способ входа', providerId === 'credential' ? 'Пароль' : providerId]],
          footnote: `${wasYou} Если нет, сразу смените пароль: возможно, доступ к аккаунту есть у кого-то ещё.`,
        },
  'account-banned': ({ expiresAt }, { appName, time }) => ({
    subject: `Ваш аккаунт ${appName} заблокирован`,
    preheader: expiresAt === null ? 'Войти в аккаунт больше нельзя.' : `Войти снова можно будет после ${time(expiresAt)}.`,
    heading: 'Аккаунт заблокирован',
    paragraphs: [
      `Администратор заблокировал ваш аккаунт ${appName}. Все его сеансы завершены.`,
      expiresAt === null ? 'Блокировка бессрочная.' : `Окончание блокировки: ${time(expiresAt)}.`,
    ],
    footnote: 'Если вы считаете, что это ошибка, обратитесь в службу поддержки.',
  }),
  'account-deleted': (_, { appName }) => ({
    subject: `Ваш аккаунт ${appName} удалён`,
    preheader: 'Аккаунта и его данных больше нет.',
    heading: 'Аккаунт удалён',
    paragraphs: [`Ваш аккаунт ${appName} и его данные удалены.`],
    footnote: 'Если это для вас неожиданность, обратитесь в службу поддержки.',
  }),
  'account-impersonated': ({ time, endsAt }, context) => ({
    subject: `Администратор открыл ваш аккаунт ${context.appName}`,
    preheader: 'Администратор может короткое время использовать ваш аккаунт.',
    heading: 'Администратор открыл ваш аккаунт',
    paragraphs: [
      `Администратор ${context.appName} открыл ваш аккаунт, чтобы увидеть то же, что и вы. Изменить пароль и способы входа он не может.`,
    ],
    facts: [
      ['Время', context.time(time)],
      ['Окончание не позже', context.time(endsAt)],
    ],
    footnote: `Если это для вас неожиданность, напишите в службу поддержки${supportOf(context) ? `: ${supportOf(context)}` : ''}.`,
  }),
  'new-sign-in': (notice, context) => ({
    subject: `Новый вход в аккаунт ${context.appName}`,
    preheader: ['С нового устройства или из новой сети', deviceIn(notice.device, facts.on)].filter(Boolean).join(': '),
    heading: 'Новый вход в аккаунт',
    paragraphs: [
      `В ваш аккаунт ${context.appName} вошли с нового устройства или из новой сети.`,
      ...(notice.hasReplaced ? ['Прежний сеанс в этом же браузере или этой же программе завершён.'] : []),
    ],
    facts: signInFacts(notice, context, facts),
    ...context.button('/account/sessions', 'Проверить сеансы'),
    footnote: `${wasYou} Если нет, смените пароль и завершите этот сеанс: доступ к аккаунту есть у кого-то ещё.`,
  }),
  'session-limit': ({ sessionsEnded, maxSessions, ...signIn }, context) => {
    const ended = context.plural(sessionsEnded, {
      one: 'завершён # самый старый сеанс',
      few: 'завершены # самых старых сеанса',
      many: 'завершено # самых старых сеансов',
      other: 'завершено # самого старого сеанса',
    })
    return {
      subject: `Новый вход в аккаунт ${context.appName}: ${ended}`,
      preheader: context.plural(maxSessions, {
        one: 'В вашем аккаунте может быть не больше # сеанса.',
        few: 'В вашем аккаунте может быть не больше # сеансов.',
        many: 'В вашем аккаунте может быть не больше # сеансов.',
        other: 'В вашем аккаунте может быть не больше # сеанса.',
      }),
      heading: `Новый вход: ${ended}`,
      paragraphs: [
        `В вашем аккаунте ${context.appName} достигнуто максимальное количество сеансов: ${maxSessions}. При новом входе ${ended}, поэтому в каком-то браузере или программе может понадобиться войти снова.`,
      ],
      facts: signInFacts(signIn, context, facts),
      ...context.button('/account/sessions', 'Проверить сеансы'),
      footnote:
        'Если ваша программа входит при каждом запуске, пусть она сохраняет сеанс или использует ключ API. Если этот вход вам незнаком, смените пароль: доступ к аккаунту есть у кого-то ещё.',
    }
  },
}
