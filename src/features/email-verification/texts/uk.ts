/** The texts in Ukrainian. */
import type { MailTexts, TextContext } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { endedParts, type PartTexts } from './parts.ts'

const parts = ({ plural }: TextContext): PartTexts => ({
  ...{ password: 'пароль', phoneNumber: 'номер телефону', provider: (id) => `обліковий запис ${id}` },
  sessions: (count) => plural(count, { one: '# сеанс', few: '# сеанси', many: '# сеансів', other: '# сеансу' }),
  apiKeys: (count) => plural(count, { one: '# ключ API', few: '# ключі API', many: '# ключів API', other: '# ключа API' }),
  passkeys: (count) =>
    plural(count, { one: '# ключ доступу', few: '# ключі доступу', many: '# ключів доступу', other: '# ключа доступу' }),
  secondFactors: (count) =>
    plural(count, { one: '# другий фактор', few: '# другі фактори', many: '# других факторів', other: '# другого фактора' }),
  trustedBrowsers: (count) =>
    plural(count, {
      one: '# довірений браузер',
      few: '# довірені браузери',
      many: '# довірених браузерів',
      other: '# довіреного браузера',
    }),
})

export const mails: MailTexts<Mails> = {
  verification: ({ url }, { appName, config, duration }) => ({
    subject: `Підтвердьте електронну адресу для ${appName}`,
    preheader: `Завершіть налаштування облікового запису. Термін дії посилання: ${duration(config.emailVerification.expiresIn)}.`,
    heading: 'Підтвердьте електронну адресу',
    paragraphs: [`Підтвердьте електронну адресу, щоб завершити налаштування облікового запису ${appName}.`],
    action: { label: 'Підтвердити адресу', url },
    footnote: `Термін дії посилання: ${duration(config.emailVerification.expiresIn)}. Якщо ви не надсилали цього запиту, не зважайте на цей лист.`,
  }),
  'earlier-access-ended': (ended, context) => ({
    subject: `Попередній доступ до облікового запису ${context.appName} закрито`,
    preheader: 'Можливо, обліковий запис із вашою електронною адресою раніше створив хтось інший.',
    heading: 'Попередній доступ закрито',
    paragraphs: [
      `Ви щойно підтвердили, що ця електронна адреса належить вам. Раніше її не було підтверджено, тому обліковий запис ${context.appName} з нею міг створити хтось інший. Усе, що було налаштовано раніше, більше не діє.`,
    ],
    facts: [['Більше не діє', endedParts(ended, parts(context)).join(', ')]],
    footnote:
      'Якщо все це налаштували ви, налаштуйте це в обліковому записі знову. Увійти з електронною адресою, як і раніше, можна.',
  }),
}
