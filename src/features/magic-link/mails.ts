/** The email with a magic link. */
import type { TextContext } from '../../core/message.ts'
import { defineMails, mailKind, shortURL } from '../outbox/index.ts'
import { exampleRequester, type Requester, requesterFacts } from '../verifications/index.ts'

/** What `magicLink.sendMagicLink` gets. */
export interface LinkMail extends Requester {
  readonly email: string
  readonly url: string
  readonly token: string
  /** For the page of the browser that asked. */
  readonly code: string
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

const content = {
  en: ({ url, code, ...requester }: LinkMail, context: TextContext) => {
    const duration = context.duration(context.config.magicLink.expiresIn)
    return {
      subject: `${code} is your ${context.appName} code, or sign in with the link`,
      preheader: `The link and the code expire in ${duration}.`,
      heading: `Sign in to ${context.appName}`,
      paragraphs: [
        `Open the link on the device on which you asked for it. If that is another one, enter this code there: ${code}`,
        'Never share this email: we will never ask you for it.',
      ],
      facts: requesterFacts(requester, context),
      action: { label: 'Sign in', url },
      footnote: `The link works once and expires in ${duration}. If you didn't request it, you can ignore this email.`,
    }
  },
  de: ({ url, code, ...requester }: LinkMail, context: TextContext) => {
    const { say, appName } = context
    const duration = context.duration(context.config.magicLink.expiresIn)
    return {
      subject: say(
        `${code} ist Ihr Code für ${appName}, oder melden Sie sich mit dem Link an`,
        `${code} ist dein Code für ${appName}, oder melde dich mit dem Link an`,
      ),
      preheader: `Link und Code gelten ${duration}.`,
      heading: `Bei ${appName} anmelden`,
      paragraphs: [
        say(
          `Öffnen Sie den Link auf dem Gerät, auf dem Sie ihn angefordert haben. Auf einem anderen geben Sie dort diesen Code ein: ${code}`,
          `Öffne den Link auf dem Gerät, auf dem du ihn angefordert hast. Auf einem anderen gib dort diesen Code ein: ${code}`,
        ),
        say(
          'Geben Sie diese E-Mail nie weiter: Niemand von uns wird Sie danach fragen.',
          'Gib diese E-Mail nie weiter: Niemand von uns wird dich danach fragen.',
        ),
      ],
      facts: requesterFacts(requester, context),
      action: { label: 'Anmelden', url },
      footnote: say(
        `Der Link funktioniert einmal und gilt ${duration}. Wenn Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren.`,
        `Der Link funktioniert einmal und gilt ${duration}. Wenn du ihn nicht angefordert hast, kannst du diese E-Mail ignorieren.`,
      ),
    }
  },
}

export const mails = defineMails({
  'magic-link': mailKind<LinkMail>({
    ...{ toStrangers: true, hasOwnLimit: true, hasLink: true },
    lifetime: ({ magicLink }) => magicLink.expiresIn,
    option: ({ magicLink }) => magicLink.sendMagicLink,
    content,
    example: (app) => {
      const token = 'Zk2p0vXnq7Lw4tR9sYb1cE6h'
      return { email: 'ida@example.com', url: shortURL(app.config, token), token, code: '482913', ...exampleRequester(app) }
    },
  }),
})
