/** The texts in German. */
import type { MailTexts } from '../../../core/message.ts'
import { requesterFacts } from '../../verifications/index.ts'
import type { Mails } from '../texts.ts'

const facts = { requested: 'Angefordert', device: 'Gerät', ipAddress: 'IP-Adresse', on: 'unter' }

export const mails: MailTexts<Mails> = {
  'magic-link': ({ url, code, ...requester }, context) => {
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
      facts: requesterFacts(requester, context, facts),
      action: { label: 'Anmelden', url },
      footnote: say(
        `Der Link funktioniert einmal und gilt ${duration}. Wenn Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren.`,
        `Der Link funktioniert einmal und gilt ${duration}. Wenn du ihn nicht angefordert hast, kannst du diese E-Mail ignorieren.`,
      ),
    }
  },
}
