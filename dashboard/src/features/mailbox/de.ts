import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  mailbox: 'Postfach',
  mailboxText: 'E-Mails und SMS kommen hier an, statt gesendet zu werden. Neue erscheinen von selbst.',
  searchByRecipient: 'Nach Empfänger suchen',
  count: ({ count }, { plural }) => plural(count, { one: '# Nachricht', other: '# Nachrichten' }),
  newestOnly: ({ count }, { plural }) => plural(count, { other: 'Die neuesten # Nachrichten' }),
  arrived: ({ count }, { plural }) => plural(count, { one: '# neue Nachricht', other: '# neue Nachrichten' }),
  emails: 'Nachrichten',
  noEmails: 'Noch keine Nachrichten',
  noEmailsText:
    'Registrieren Sie sich oder setzen Sie ein Passwort zurück. Die Nachricht mit dem Link oder Code erscheint sofort hier.',
  signUp: 'Registrieren',
  resetPassword: 'Passwort zurücksetzen',
  noMatch: ({ text }) => `Keine Nachricht an „${text}“`,
  noMatchText: 'Gesucht wird nur nach dem Empfänger.',
  clearSearch: 'Suche löschen',
  chooseEmail: 'Wählen Sie eine Nachricht',
  chooseEmailText: 'Hier erscheint ihr Inhalt mit Links oder Code.',
  notFound: 'Diese Nachricht gibt es nicht',
  notFoundText: 'Sie wurde gelöscht oder ist älter als die angezeigten Nachrichten.',
  backToList: 'Alle Nachrichten',
  to: 'An',
  received: 'Empfangen',
  kind: 'Art',
  textMessage: 'SMS',
  copyCode: 'Code kopieren',
  view: 'Ansicht',
  asSent: 'Wie verschickt',
  plainText: 'Nur Text',
  contentOf: ({ subject }) => `Inhalt von „${subject}“`,
}
