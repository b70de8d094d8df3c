import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './lock-en.ts'

export const messages: Translation<typeof english> = {
  lockQuestion: ({ name }) => `Sicherheitssperre für ${name} setzen?`,
  lockText: 'Für ein Konto, das jemand anderes übernommen haben könnte. Das endet sofort:',
  lock: 'Sicherheitssperre setzen',
  sessions: ({ count }, { plural }) => plural(count, { one: '# Sitzung', other: '# Sitzungen' }),
  apiKeys: ({ count }, { plural }) => plural(count, { one: '# API-Schlüssel', other: '# API-Schlüssel' }),
  linksAndCodes: ({ count }, { plural }) => plural(count, { one: '# offener Link oder Code', other: '# offene Links und Codes' }),
  linkedAccounts: ({ count }, { plural }) =>
    plural(count, {
      one: 'Die gespeicherten Token von # verknüpften Konto',
      other: 'Die gespeicherten Token von # verknüpften Konten',
    }),
  trustedBrowsers: ({ count }, { plural }) => plural(count, { one: '# vertrauter Browser', other: '# vertraute Browser' }),
  everySignIn: 'Jede Anmeldung, mit jeder Methode, bis die Sperre aufgehoben wird',
  reason: 'Grund',
  reasonHint: 'Andere Administratoren sehen ihn. Er bleibt im Audit-Log.',
  allowReset: 'Ein Zurücksetzen des Passworts per E-Mail darf die Sperre aufheben',
  allowResetHint: 'Nur wenn die E-Mail-Adresse noch dem Eigentümer gehört: Ein Dieb kann sie geändert haben.',
  lockDone: ({ name }) => `Für ${name} gilt jetzt eine Sicherheitssperre.`,
  unlockQuestion: ({ name }) => `Sicherheitssperre für ${name} aufheben?`,
  unlockText: ({ email }) => [
    `Prüfen Sie zuerst, ob ${email} die E-Mail-Adresse des Eigentümers ist: Ein Dieb kann sie geändert haben. Bei der nächsten Anmeldung ist ein neues Passwort nötig, mit einem Link an diese Adresse.`,
    `Prüfe zuerst, ob ${email} die E-Mail-Adresse des Eigentümers ist: Ein Dieb kann sie geändert haben. Bei der nächsten Anmeldung ist ein neues Passwort nötig, mit einem Link an diese Adresse.`,
  ],
  unlock: 'Sicherheitssperre aufheben',
  unlockDone: ({ name }) => `Die Sicherheitssperre für ${name} ist aufgehoben.`,
}
