/** The emails of the waiting list. */
import { defineMails, mailKind } from '../outbox/index.ts'

export const mails = defineMails({
  'waiting-list-joined': mailKind<object>({
    toStrangers: true,
    content: {
      en: (_, { appName }) => ({
        subject: `You are on the waiting list of ${appName}`,
        preheader: 'We will write to you when you can create your account.',
        heading: 'You are on the waiting list',
        paragraphs: [`Thank you for your interest in ${appName}. We will send you an email when you can create your account.`],
        footnote: "If you didn't request this, you can ignore this email. No account was created.",
      }),
      de: (_, { appName, say }) => ({
        subject: say(`Sie stehen auf der Warteliste von ${appName}`, `Du stehst auf der Warteliste von ${appName}`),
        preheader: say(
          'Wir schreiben Ihnen, sobald Sie Ihr Konto erstellen können.',
          'Wir schreiben dir, sobald du dein Konto erstellen kannst.',
        ),
        heading: say('Sie stehen auf der Warteliste', 'Du stehst auf der Warteliste'),
        paragraphs: [
          say(
            `Danke für Ihr Interesse an ${appName}. Sie bekommen eine E-Mail, sobald Sie Ihr Konto erstellen können.`,
            `Danke für dein Interesse an ${appName}. Du bekommst eine E-Mail, sobald du dein Konto erstellen kannst.`,
          ),
        ],
        footnote: say(
          'Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren. Es wurde kein Konto erstellt.',
          'Wenn du das nicht warst, kannst du diese E-Mail ignorieren. Es wurde kein Konto erstellt.',
        ),
      }),
    },
    example: () => ({}),
  }),
  'waiting-list-approved': mailKind<{ readonly url: string }>({
    toStrangers: false,
    content: {
      en: ({ url }, { appName }) => ({
        subject: `You can now create your ${appName} account`,
        preheader: 'Use this email address when you sign up.',
        heading: 'You can now create your account',
        paragraphs: [`Your place on the waiting list of ${appName} has come up. Use this email address when you sign up.`],
        action: { label: 'Create account', url },
        footnote: "If you don't want an account any more, you can ignore this email.",
      }),
      de: ({ url }, { appName, say }) => ({
        subject: say(`Sie können jetzt Ihr Konto bei ${appName} erstellen`, `Du kannst jetzt dein Konto bei ${appName} erstellen`),
        preheader: say(
          'Verwenden Sie bei der Registrierung diese E-Mail-Adresse.',
          'Verwende bei der Registrierung diese E-Mail-Adresse.',
        ),
        heading: say('Sie können jetzt Ihr Konto erstellen', 'Du kannst jetzt dein Konto erstellen'),
        paragraphs: [
          say(
            `Auf der Warteliste von ${appName} sind Sie an der Reihe. Verwenden Sie bei der Registrierung diese E-Mail-Adresse.`,
            `Auf der Warteliste von ${appName} bist du an der Reihe. Verwende bei der Registrierung diese E-Mail-Adresse.`,
          ),
        ],
        action: { label: 'Konto erstellen', url },
        footnote: say(
          'Wenn Sie kein Konto mehr möchten, können Sie diese E-Mail ignorieren.',
          'Wenn du kein Konto mehr möchtest, kannst du diese E-Mail ignorieren.',
        ),
      }),
    },
    example: ({ config }) => ({ url: `${config.baseURL ?? 'http://localhost:4000'}/sign-up` }),
  }),
})
