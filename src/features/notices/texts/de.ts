/** The texts in German. */
import type { MailContent, MailTexts, TextContext } from '../../../core/message.ts'
import type { Mails } from '../texts.ts'
import { deviceIn, signInFacts, supportOf } from './facts.ts'

const warSie = 'Wenn Sie das waren, müssen Sie nichts tun.'

const warstDu = 'Wenn du das warst, musst du nichts tun.'

const facts = { time: 'Zeit', device: 'Gerät', ipAddress: 'IP-Adresse', on: 'unter' }

const passwordRemoved = ({ appName, say }: TextContext): MailContent => ({
  subject: say(
    `Das Passwort Ihres Kontos bei ${appName} wurde entfernt`,
    `Das Passwort deines Kontos bei ${appName} wurde entfernt`,
  ),
  preheader: say(
    'Eine andere Person könnte es festgelegt haben, bevor Ihre E-Mail-Adresse bestätigt war.',
    'Eine andere Person könnte es festgelegt haben, bevor deine E-Mail-Adresse bestätigt war.',
  ),
  heading: say('Ihr Passwort wurde entfernt', 'Dein Passwort wurde entfernt'),
  paragraphs: [
    say(
      `Ihr Konto bei ${appName} hatte ein Passwort aus der Zeit, bevor Ihre E-Mail-Adresse bestätigt war. Eine andere Person könnte es festgelegt haben, deshalb funktioniert es nicht mehr.`,
      `Dein Konto bei ${appName} hatte ein Passwort aus der Zeit, bevor deine E-Mail-Adresse bestätigt war. Eine andere Person könnte es festgelegt haben, deshalb funktioniert es nicht mehr.`,
    ),
  ],
  footnote: say(
    'Um sich wieder mit einem Passwort anzumelden, setzen Sie es zurück und wählen Sie ein neues.',
    'Um sich wieder mit einem Passwort anzumelden, setze es zurück und wähle ein neues.',
  ),
})

export const mails: MailTexts<Mails> = {
  'sign-in-method-removed': ({ providerId, reason }, context) =>
    reason === 'email-verified'
      ? passwordRemoved(context)
      : {
          subject: context.say(
            `Eine Anmeldemethode Ihres Kontos bei ${context.appName} wurde entfernt`,
            `Eine Anmeldemethode deines Kontos bei ${context.appName} wurde entfernt`,
          ),
          preheader: context.say(
            'Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort.',
            'Wenn du das nicht warst, ändere jetzt dein Passwort.',
          ),
          heading: 'Eine Anmeldemethode wurde entfernt',
          paragraphs: [
            context.say(
              `Mit dieser Anmeldemethode kann man sich nicht mehr bei Ihrem Konto anmelden.`,
              `Mit dieser Anmeldemethode kann man sich nicht mehr bei deinem Konto anmelden.`,
            ),
          ],
          facts: [['Anmeldemethode', providerId === 'credential' ? 'Passwort' : providerId]],
          footnote: context.say(
            `${warSie} Wenn nicht, ändern Sie jetzt Ihr Passwort: Jemand anderes könnte Zugriff auf Ihr Konto haben.`,
            `${warstDu} Wenn nicht, ändere jetzt dein Passwort: Jemand anderes könnte Zugriff auf dein Konto haben.`,
          ),
        },
  'account-banned': ({ expiresAt }, { appName, time, say }) => ({
    subject: say(`Ihr Konto bei ${appName} wurde gesperrt`, `Dein Konto bei ${appName} wurde gesperrt`),
    preheader:
      expiresAt === null
        ? say('Sie können sich nicht mehr anmelden.', 'Du kannst dich nicht mehr anmelden.')
        : `Die Sperre endet am ${time(expiresAt)}.`,
    heading: say('Ihr Konto wurde gesperrt', 'Dein Konto wurde gesperrt'),
    paragraphs: [
      say(
        `Ein Administrator hat Ihr Konto bei ${appName} gesperrt. Alle Sitzungen wurden beendet.`,
        `Ein Administrator hat dein Konto bei ${appName} gesperrt. Alle Sitzungen wurden beendet.`,
      ),
      expiresAt === null ? 'Die Sperre ist unbefristet.' : `Die Sperre endet am ${time(expiresAt)}.`,
    ],
    footnote: say(
      'Wenn Sie das für einen Fehler halten, wenden Sie sich an den Support.',
      'Wenn du das für einen Fehler hältst, wende dich an den Support.',
    ),
  }),
  'account-deleted': (_, { appName, say }) => ({
    subject: say(`Ihr Konto bei ${appName} wurde gelöscht`, `Dein Konto bei ${appName} wurde gelöscht`),
    preheader: say('Ihr Konto und seine Daten gibt es nicht mehr.', 'Dein Konto und seine Daten gibt es nicht mehr.'),
    heading: say('Ihr Konto wurde gelöscht', 'Dein Konto wurde gelöscht'),
    paragraphs: [
      say(
        `Ihr Konto bei ${appName} und seine Daten wurden gelöscht.`,
        `Dein Konto bei ${appName} und seine Daten wurden gelöscht.`,
      ),
    ],
    footnote: say(
      'Wenn Sie das nicht erwartet haben, wenden Sie sich an den Support.',
      'Wenn du das nicht erwartet hast, wende dich an den Support.',
    ),
  }),
  'account-impersonated': ({ time, endsAt }, context) => ({
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
  'new-sign-in': (notice, context) => ({
    subject: `Neue Anmeldung bei ${context.appName}`,
    preheader: ['Von einem neuen Gerät oder Netz', deviceIn(notice.device, facts.on)].filter(Boolean).join(': '),
    heading: context.say('Neue Anmeldung bei Ihrem Konto', 'Neue Anmeldung bei deinem Konto'),
    paragraphs: [
      context.say(
        `Mit Ihrem Konto bei ${context.appName} hat sich jemand von einem neuen Gerät oder aus einem neuen Netz angemeldet.`,
        `Mit deinem Konto bei ${context.appName} hat sich jemand von einem neuen Gerät oder aus einem neuen Netz angemeldet.`,
      ),
      ...(notice.hasReplaced ? ['Die bisherige Sitzung desselben Browsers oder Programms wurde dadurch beendet.'] : []),
    ],
    facts: signInFacts(notice, context, facts),
    ...context.button('/account/sessions', 'Sitzungen prüfen'),
    footnote: context.say(
      `${warSie} Wenn nicht, ändern Sie Ihr Passwort und beenden Sie die Sitzung: Jemand anderes hat Zugriff auf Ihr Konto.`,
      `${warstDu} Wenn nicht, ändere dein Passwort und beende die Sitzung: Jemand anderes hat Zugriff auf dein Konto.`,
    ),
  }),
  'session-limit': ({ sessionsEnded, maxSessions, ...signIn }, context) => {
    const oldest =
      sessionsEnded === 1
        ? context.say('Ihre älteste Sitzung', 'deine älteste Sitzung')
        : context.say(`Ihre ${sessionsEnded} ältesten Sitzungen`, `deine ${sessionsEnded} ältesten Sitzungen`)
    return {
      subject: `Eine Anmeldung bei ${context.appName} hat ${oldest} beendet`,
      preheader: context.say(
        `Mehr als ${maxSessions} Sitzungen zugleich kann Ihr Konto nicht haben.`,
        `Mehr als ${maxSessions} Sitzungen zugleich kann dein Konto nicht haben.`,
      ),
      heading: `Eine Anmeldung hat ${oldest} beendet`,
      paragraphs: [
        context.say(
          `Ihr Konto bei ${context.appName} hat die höchste Zahl von ${maxSessions} Sitzungen erreicht. Eine neue Anmeldung hat ${oldest} beendet. Ein Browser oder Programm muss sich deshalb vielleicht erneut anmelden.`,
          `Dein Konto bei ${context.appName} hat die höchste Zahl von ${maxSessions} Sitzungen erreicht. Eine neue Anmeldung hat ${oldest} beendet. Ein Browser oder Programm muss sich deshalb vielleicht erneut anmelden.`,
        ),
      ],
      facts: signInFacts(signIn, context, facts),
      ...context.button('/account/sessions', 'Sitzungen prüfen'),
      footnote: context.say(
        'Wenn sich ein Programm bei jedem Start anmeldet, lassen Sie es seine Sitzung behalten oder einen API-Schlüssel verwenden. Wenn Sie diese Anmeldung nicht kennen, ändern Sie Ihr Passwort: Jemand anderes hat Zugriff auf Ihr Konto.',
        'Wenn sich ein Programm bei jedem Start anmeldet, lass es seine Sitzung behalten oder einen API-Schlüssel verwenden. Wenn du diese Anmeldung nicht kennst, ändere dein Passwort: Jemand anderes hat Zugriff auf dein Konto.',
      ),
    }
  },
}
