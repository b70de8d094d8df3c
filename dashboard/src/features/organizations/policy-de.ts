import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './policy-en.ts'

export const messages: Translation<typeof english> = {
  policyLabel: 'Zweiter Faktor der Mitglieder',
  policyHint: 'Ohne ihn melden sich Mitglieder weiter an, können aber diese Organisation nicht öffnen.',
  notRequired: 'Nicht verlangt',
  requiredNow: 'Sofort verlangt',
  requiredAfter: ({ count }, { plural }) =>
    plural(count, { one: 'Verlangt, # Tag zum Einrichten', other: 'Verlangt, # Tage zum Einrichten' }),
  graceText: 'Die Tage beginnen für jedes Mitglied, wenn es die Organisation das nächste Mal öffnet.',
  stopsNow: ({ count }, { plural }) =>
    plural(count, { one: '# Mitglied verliert sofort den Zugang.', other: '# Mitglieder verlieren sofort den Zugang.' }),
  showAdministrators:
    'Mitglieder, die ihren zweiten Faktor verloren haben, sehen bei der Anmeldung die Namen von Administratoren',
  savePolicy: 'Vorgabe speichern',
  policySaved: 'Die Vorgabe wurde gespeichert.',
  setUpOwn: 'Zweiten Faktor einrichten',
  withoutFactor: 'Mitglieder ohne zweiten Faktor',
  everyoneHasOne: 'Alle Mitglieder haben einen zweiten Faktor.',
  lackOne: ({ count }, { plural }) =>
    plural(count, { one: '# Mitglied hat keinen zweiten Faktor.', other: '# Mitglieder haben keinen zweiten Faktor.' }),
  andMore: ({ count }, { plural }) => plural(count, { one: 'und # weiteres', other: 'und # weitere' }),
  sendReminders: 'Erinnerung senden',
  remindersText: 'Per E-Mail, höchstens eine am Tag an jedes Mitglied.',
  remindersSent: ({ count }, { plural }) =>
    plural(count, {
      one: 'Eine Erinnerung wurde an # Mitglied gesendet.',
      other: 'Erinnerungen wurden an # Mitglieder gesendet.',
    }),
  alreadyReminded: 'Diese Mitglieder haben in den letzten 24 Stunden eine Erinnerung erhalten.',
  moreReminders: ['Es gibt weitere Mitglieder. Senden Sie erneut.', 'Es gibt weitere Mitglieder. Sende erneut.'],
  stopped: ({ name }) => `${name} verlangt einen zweiten Faktor`,
  stoppedText: [
    'Ihr Konto hat keinen. Richten Sie ihn ein, um diese Organisation wieder zu öffnen. Ihr Konto und Ihre anderen Organisationen bleiben offen.',
    'Dein Konto hat keinen. Richte ihn ein, um diese Organisation wieder zu öffnen. Dein Konto und deine anderen Organisationen bleiben offen.',
  ],
  emailIsNotEnough: 'Codes per E-Mail reichen nicht aus.',
  otherOrganizations: 'Alle Organisationen',
  dueSoon: ({ date }) => [
    `Diese Organisation verlangt einen zweiten Faktor. Sie brauchen ihn ab dem ${date}.`,
    `Diese Organisation verlangt einen zweiten Faktor. Du brauchst ihn ab dem ${date}.`,
  ],
}
