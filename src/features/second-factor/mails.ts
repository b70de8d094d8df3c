/** Emails about second factors. */
import { defineMails } from '../outbox/index.ts'
import { codeMail } from './code-messages.ts'
import { ifNotYou, ifNotYouGerman, notice } from './factor-notice.ts'

const notYou = ifNotYou('change your password now and look at your second factors')
const nichtSie = ifNotYouGerman(
  'ändern Sie jetzt Ihr Passwort und prüfen Sie Ihre zweiten Faktoren',
  'ändere jetzt dein Passwort und prüfe deine zweiten Faktoren',
)
const codesLeft = (left: number | null) => (left === 1 ? 'one backup code' : `${left ?? 0} backup codes`)
const codesÜbrig = (left: number | null) => (left === 1 ? 'ein Ersatzcode' : `${left ?? 0} Ersatzcodes`)

export const mails = defineMails({
  'two-factor-enabled': notice(
    {
      en: (_, app) => ({
        subject: `A second factor was added to your ${app} account`,
        heading: 'A second factor was added',
        paragraphs: ['From now on, signing in to your account asks for a second factor.'],
        footnote: notYou,
      }),
      de: (_, app) => [
        [
          `Ein zweiter Faktor wurde zu Ihrem Konto bei ${app} hinzugefügt`,
          `Ein zweiter Faktor wurde zu deinem Konto bei ${app} hinzugefügt`,
        ],
        ['Ein zweiter Faktor wurde hinzugefügt', 'Ein zweiter Faktor wurde hinzugefügt'],
        [
          'Bei der Anmeldung wird ab jetzt ein zweiter Faktor verlangt.',
          'Bei der Anmeldung wird ab jetzt ein zweiter Faktor verlangt.',
        ],
        nichtSie,
      ],
    },
    { factor: 'totp' },
  ),
  'two-factor-disabled': notice(
    {
      en: (_, app) => ({
        subject: `A second factor was removed from your ${app} account`,
        heading: 'A second factor was removed',
        paragraphs: ['It can no longer be used to sign in to your account.'],
        footnote: notYou,
      }),
      de: (_, app) => [
        [
          `Ein zweiter Faktor wurde aus Ihrem Konto bei ${app} entfernt`,
          `Ein zweiter Faktor wurde aus deinem Konto bei ${app} entfernt`,
        ],
        ['Ein zweiter Faktor wurde entfernt', 'Ein zweiter Faktor wurde entfernt'],
        ['Er gilt bei der Anmeldung nicht mehr.', 'Er gilt bei der Anmeldung nicht mehr.'],
        nichtSie,
      ],
    },
    { factor: 'totp' },
  ),
  'backup-code-used': notice(
    {
      en: ({ left }, app) => ({
        subject: `A backup code of your ${app} account was used`,
        heading: 'A backup code was used',
        paragraphs: [`You have ${codesLeft(left)} left.`],
        footnote: notYou,
      }),
      de: ({ left }, app) => [
        [`Ein Ersatzcode Ihres Kontos bei ${app} wurde verwendet`, `Ein Ersatzcode deines Kontos bei ${app} wurde verwendet`],
        ['Ein Ersatzcode wurde verwendet', 'Ein Ersatzcode wurde verwendet'],
        [`Es ist noch ${codesÜbrig(left)} übrig.`, `Es ist noch ${codesÜbrig(left)} übrig.`],
        nichtSie,
      ],
    },
    { left: 7 },
  ),
  'backup-codes-low': notice(
    {
      en: ({ left }, app) => ({
        subject: `Few backup codes are left for your ${app} account`,
        heading: `You have ${codesLeft(left)} left`,
        paragraphs: ['Create new backup codes, so that you can sign in when you lose your phone.'],
        footnote: 'The codes from before end when you create new ones.',
      }),
      de: ({ left }, app) => [
        [
          `Für Ihr Konto bei ${app} sind nur noch wenige Ersatzcodes übrig`,
          `Für dein Konto bei ${app} sind nur noch wenige Ersatzcodes übrig`,
        ],
        [`Übrig: ${codesÜbrig(left)}`, `Übrig: ${codesÜbrig(left)}`],
        [
          'Erstellen Sie neue Ersatzcodes, damit Sie sich anmelden können, wenn Sie Ihr Telefon verlieren.',
          'Erstelle neue Ersatzcodes, damit du dich anmelden kannst, wenn du dein Telefon verlierst.',
        ],
        ['Die bisherigen Codes gelten dann nicht mehr.', 'Die bisherigen Codes gelten dann nicht mehr.'],
      ],
    },
    { left: 3 },
  ),
  'backup-codes-created': notice({
    en: (_, app) => ({
      subject: `New backup codes for your ${app} account`,
      heading: 'New backup codes were created',
      paragraphs: ['The codes from before no longer work.'],
      footnote: notYou,
    }),
    de: (_, app) => [
      [`Neue Ersatzcodes für Ihr Konto bei ${app}`, `Neue Ersatzcodes für dein Konto bei ${app}`],
      ['Neue Ersatzcodes wurden erstellt', 'Neue Ersatzcodes wurden erstellt'],
      ['Die bisherigen Codes gelten nicht mehr.', 'Die bisherigen Codes gelten nicht mehr.'],
      nichtSie,
    ],
  }),
  'password-may-be-known': notice({
    en: (_, app) => ({
      subject: `Another person may know your ${app} password`,
      heading: 'Another person may know your password',
      paragraphs: [
        'Someone gave the right password or another proof, but not the second factor. They have no access to your account.',
      ],
      footnote: "If this was you, you don't need to do anything. If it wasn't, change your password now.",
    }),
    de: (_, app) => [
      [`Jemand kennt vielleicht Ihr Passwort für ${app}`, `Jemand kennt vielleicht dein Passwort für ${app}`],
      ['Jemand kennt vielleicht Ihr Passwort', 'Jemand kennt vielleicht dein Passwort'],
      [
        'Jemand hat das richtige Passwort oder einen anderen Nachweis angegeben, aber nicht den zweiten Faktor. Ein Zugriff auf Ihr Konto fand nicht statt.',
        'Jemand hat das richtige Passwort oder einen anderen Nachweis angegeben, aber nicht den zweiten Faktor. Ein Zugriff auf dein Konto fand nicht statt.',
      ],
      [
        'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, ändern Sie jetzt Ihr Passwort.',
        'Wenn du das warst, musst du nichts tun. Wenn nicht, ändere jetzt dein Passwort.',
      ],
    ],
  }),
  'trusted-browser-copied': notice({
    en: (_, app) => ({
      subject: `A trusted browser of your ${app} account was copied`,
      heading: 'A trusted browser was copied',
      paragraphs: ['Someone used an old copy of the cookie of a browser that you trust. That browser is no longer trusted.'],
      footnote: 'Look at your sessions, and change your password if you do not know one of them.',
    }),
    de: (_, app) => [
      [
        `Ein vertrauter Browser Ihres Kontos bei ${app} wurde kopiert`,
        `Ein vertrauter Browser deines Kontos bei ${app} wurde kopiert`,
      ],
      ['Ein vertrauter Browser wurde kopiert', 'Ein vertrauter Browser wurde kopiert'],
      [
        'Jemand hat eine alte Kopie des Cookies eines Browsers verwendet, dem Sie vertrauen. Dieser Browser gilt nicht mehr als vertraut.',
        'Jemand hat eine alte Kopie des Cookies eines Browsers verwendet, dem du vertraust. Dieser Browser gilt nicht mehr als vertraut.',
      ],
      [
        'Prüfen Sie Ihre Sitzungen, und ändern Sie Ihr Passwort, wenn Sie eine davon nicht kennen.',
        'Prüfe deine Sitzungen, und ändere dein Passwort, wenn du eine davon nicht kennst.',
      ],
    ],
  }),
  'two-factor-suspended': notice({
    en: (_, app) => ({
      subject: `Codes for your ${app} account were turned off`,
      heading: 'Codes were turned off',
      paragraphs: [
        'Too many wrong codes were given for your account. Sign in with a backup code, and set up your authenticator app again.',
        'If you have not set up a second factor yet, change your password first. Then codes are sent again.',
      ],
      footnote: 'Someone knows your password. Change it as soon as you are signed in.',
    }),
    de: (_, app) => [
      [`Codes für Ihr Konto bei ${app} wurden abgeschaltet`, `Codes für dein Konto bei ${app} wurden abgeschaltet`],
      ['Codes wurden abgeschaltet', 'Codes wurden abgeschaltet'],
      [
        'Für Ihr Konto wurden zu viele falsche Codes angegeben. Melden Sie sich mit einem Ersatzcode an, und richten Sie Ihre Authenticator-App neu ein. Wenn Sie noch keinen zweiten Faktor haben, ändern Sie zuerst Ihr Passwort. Danach werden wieder Codes gesendet.',
        'Für dein Konto wurden zu viele falsche Codes angegeben. Melde dich mit einem Ersatzcode an, und richte deine Authenticator-App neu ein. Wenn du noch keinen zweiten Faktor hast, ändere zuerst dein Passwort. Danach werden wieder Codes gesendet.',
      ],
      [
        'Jemand kennt Ihr Passwort. Ändern Sie es, sobald Sie angemeldet sind.',
        'Jemand kennt dein Passwort. Ändere es, sobald du angemeldet bist.',
      ],
    ],
  }),
  'two-factor-code': codeMail,
})
