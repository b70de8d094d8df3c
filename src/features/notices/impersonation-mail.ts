/** The notice that an administrator acts as the user: neither who it is nor why. */
import type { TextContext } from '../../core/message.ts'
import { mailKind } from '../outbox/index.ts'
import { exampleUser } from '../users/index.ts'
import type { AccountNotice } from './mails.ts'

export interface ImpersonationNotice extends AccountNotice {
  /** ISO 8601: when it started. */
  readonly time: string
  /** ISO 8601: when it ends at the latest. */
  readonly endsAt: string
}

export const impersonated = mailKind<ImpersonationNotice>({
  option: ({ admin, notices }) => (admin.enabled && admin.notifyOfImpersonation ? notices.sendAccountImpersonated : false),
  content: {
    en: ({ time, endsAt }, context) => ({
      subject: `An administrator opened your ${context.appName} account`,
      preheader: 'An administrator can use your account for a short time.',
      heading: 'An administrator opened your account',
      paragraphs: [
        `An administrator of ${context.appName} opened your account, to see what you see. They cannot change your password or your sign-in methods.`,
      ],
      facts: [
        ['Time', context.time(time)],
        ['Ends at the latest', context.time(endsAt)],
      ],
      footnote: `If you didn't expect this, contact ${supportOf(context) ?? 'support'}.`,
    }),
    de: ({ time, endsAt }, context) => ({
      subject: context.say(
        `Ein Administrator hat Ihr Konto bei ${context.appName} geöffnet`,
        `Ein Administrator hat dein Konto bei ${context.appName} geöffnet`,
      ),
      preheader: context.say(
        'Ein Administrator kann Ihr Konto für kurze Zeit verwenden.',
        'Ein Administrator kann dein Konto für kurze Zeit verwenden.',
      ),
      heading: context.say('Ein Administrator hat Ihr Konto geöffnet', 'Ein Administrator hat dein Konto geöffnet'),
      paragraphs: [
        context.say(
          `Ein Administrator von ${context.appName} hat Ihr Konto geöffnet, um zu sehen, was Sie sehen. Ihr Passwort und Ihre Anmeldemethoden kann er nicht ändern.`,
          `Ein Administrator von ${context.appName} hat dein Konto geöffnet, um zu sehen, was du siehst. Dein Passwort und deine Anmeldemethoden kann er nicht ändern.`,
        ),
      ],
      facts: [
        ['Zeit', context.time(time)],
        ['Endet spätestens', context.time(endsAt)],
      ],
      footnote: context.say(
        `Wenn Sie das nicht erwartet haben, wenden Sie sich an ${supportOf(context) ?? 'den Support'}.`,
        `Wenn du das nicht erwartet hast, wende dich an ${supportOf(context) ?? 'den Support'}.`,
      ),
    }),
  },
  example: (app) => ({
    ...{ user: exampleUser(app), time: app.now().toISOString() },
    endsAt: new Date(app.now().getTime() + 3_600_000).toISOString(),
  }),
})

const supportOf = ({ config }: TextContext): string | undefined => config.dashboard.branding.supportEmail
