import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './social-en.ts'

export const messages: Translation<typeof english> = {
  continueWith: ({ provider }) => `Продовжити через ${provider}`,
  withProvider: ({ provider }) => `через ${provider}`,
  or: 'або',
  notSignedIn: 'Вхід не виконано',
  notSignedInWith: ({ provider }) => `Вхід через ${provider} не виконано`,
  accountNotLinked: ({ provider }) =>
    `Обліковий запис із такою електронною адресою вже є. Увійдіть попереднім способом і зв’яжіть ${provider} у розділі «Пароль і вхід». Електронну адресу має бути підтверджено в сервісі ${provider}.`,
  noAccountYet: 'Облікового запису для цього способу входу ще немає. Спершу створіть його.',
  createAccount: 'Створити обліковий запис',
  finishInOtherWindow: 'Завершіть вхід в іншому вікні. Після цього сторінка оновиться.',
  windowBlocked: 'Браузер заблокував вікно. Дозвольте спливні вікна для цього сайту й повторіть спробу.',
  anotherUser: ({ email, own }) => `Ви ввійшли як ${email}. Щоб продовжити на цій сторінці, увійдіть як ${own}.`,
}
