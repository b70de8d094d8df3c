import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  lockAccount: 'Mein Konto sperren',
  question: ['Ihr Konto sperren?', 'Dein Konto sperren?'],
  lead: ({ email }) => [
    `Wir haben den Link an ${email} gesendet. Wenn die Anmeldung oder Änderung in dieser E-Mail nicht von Ihnen war, sperren Sie Ihr Konto jetzt.`,
    `Wir haben den Link an ${email} gesendet. Wenn die Anmeldung oder Änderung in dieser E-Mail nicht von dir war, sperre dein Konto jetzt.`,
  ],
  textLead: [
    'Wir haben den Link per SMS gesendet. Wenn die Änderung in dieser SMS nicht von Ihnen war, sperren Sie Ihr Konto jetzt.',
    'Wir haben den Link per SMS gesendet. Wenn die Änderung in dieser SMS nicht von dir war, sperre dein Konto jetzt.',
  ],
  ends: 'Das endet sofort:',
  sessions: ({ sessions }, { plural }) => plural(sessions, { one: '# angemeldetes Gerät', other: '# angemeldete Geräte' }),
  apiKeys: ({ apiKeys }, { plural }) => plural(apiKeys, { one: '# API-Schlüssel', other: '# API-Schlüssel' }),
  linksAndCodes: ({ linksAndCodes }, { plural }) =>
    plural(linksAndCodes, { one: '# offener Link oder Code', other: '# offene Links und Codes' }),
  linkedAccounts: ({ linkedAccounts }, { plural }) =>
    plural(linkedAccounts, {
      one: 'Der gespeicherte Zugriff auf # verknüpftes Konto',
      other: 'Der gespeicherte Zugriff auf # verknüpfte Konten',
    }),
  trustedBrowsers: ({ trustedBrowsers }, { plural }) =>
    plural(trustedBrowsers, { one: '# vertrauter Browser', other: '# vertraute Browser' }),
  everySignIn: 'Jede Anmeldung, mit jeder Methode, bis das Konto wieder freigegeben ist',
  opensByReset: [
    'Danach geben Sie Ihr Konto mit einem neuen Passwort wieder frei.',
    'Danach gibst du dein Konto mit einem neuen Passwort wieder frei.',
  ],
  opensBySupport: [
    'Die E-Mail-Adresse des Kontos hat sich geändert, oder es wurde schon gesperrt. Deshalb kann nur unser Support es wieder freigeben, sobald feststeht, dass es Ihnen gehört.',
    'Die E-Mail-Adresse des Kontos hat sich geändert, oder es wurde schon gesperrt. Deshalb kann nur unser Support es wieder freigeben, sobald feststeht, dass es dir gehört.',
  ],
  textOpens: [
    'Danach kann nur unser Support es wieder freigeben, sobald feststeht, dass es Ihnen gehört.',
    'Danach kann nur unser Support es wieder freigeben, sobald feststeht, dass es dir gehört.',
  ],
  isLocked: [
    'Das Konto ist bereits gesperrt. Mit diesem Link können Sie es erneut sperren.',
    'Das Konto ist bereits gesperrt. Mit diesem Link kannst du es erneut sperren.',
  ],
  wasMe: 'Das war ich: nichts tun',
  locked: ['Ihr Konto ist gesperrt', 'Dein Konto ist gesperrt'],
  lockedLead: 'Alle Geräte sind abgemeldet, und niemand kann sich anmelden.',
  nextReset: [
    'Wählen Sie jetzt ein neues Passwort. Damit geben Sie Ihr Konto wieder frei.',
    'Wähle jetzt ein neues Passwort. Damit gibst du dein Konto wieder frei.',
  ],
  nextSupport: [
    'Nur unser Support kann es wieder freigeben. Melden Sie sich bei uns, und sagen Sie, dass jemand anderes Ihr Konto geändert hat.',
    'Nur unser Support kann es wieder freigeben. Melde dich bei uns, und sage, dass jemand anderes dein Konto geändert hat.',
  ],
  resetPassword: 'Passwort zurücksetzen',
  contactSupport: 'Support kontaktieren',
  linkFailed: 'Dieser Link funktioniert nicht',
  linkFailedLead: [
    'Er ist abgelaufen oder wurde schon verwendet. Wenn jemand anderes Zugriff auf Ihr Konto hat, setzen Sie Ihr Passwort zurück, oder wenden Sie sich an den Support.',
    'Er ist abgelaufen oder wurde schon verwendet. Wenn jemand anderes Zugriff auf dein Konto hat, setze dein Passwort zurück, oder wende dich an den Support.',
  ],
}
