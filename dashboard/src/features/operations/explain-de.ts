import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './explain-en.ts'

export const messages: Translation<typeof english> = {
  lead: [
    'Fügen Sie eine Anfrage-ID, eine E-Mail-Adresse, eine IP-Adresse oder einen Fehlercode ein, um zu sehen, was abgelehnt wurde, warum, und welche Option entscheidet.',
    'Füge eine Anfrage-ID, eine E-Mail-Adresse, eine IP-Adresse oder einen Fehlercode ein, um zu sehen, was abgelehnt wurde, warum, und welche Option entscheidet.',
  ],
  subject: 'Was soll erklärt werden?',
  subjectHint: 'Fehlerseiten und Antworten zeigen die Anfrage-ID.',
  explainAction: 'Erklären',
  now: 'Jetzt',
  blocked: 'Blockiert',
  note: 'Hinweis',
  refusals: 'Abgelehnt',
  refusalsLead: 'Neueste zuerst, aus dem Audit-Log.',
  noRefusals: 'Keine Ablehnung ist verzeichnet.',
  olderOnes: 'Im Audit-Log kann es ältere geben.',
  time: 'Zeit',
  what: 'Was',
  from: 'Von',
  requestId: 'Anfrage-ID',
  times: ({ count }, { plural }) => plural(count, { one: '#-mal', other: '#-mal' }),
  codes: 'Codes und Abhilfe',
  meaning: 'Bedeutung',
  fix: 'Abhilfe',
  ofCommands: 'Kommandozeile',
  options: 'Optionen',
  isDefault: 'Vorgabe',
  placeOf: ({ file, line }) => `${file}, Zeile ${line}`,
  openUser: 'Benutzer öffnen',
  signIn: 'Nächste Anmeldung',
  signInLead: 'Was eine Anmeldung jetzt entscheiden würde.',
  userNotFound:
    'Kein Benutzer hat diese E-Mail-Adresse oder ID. Vielleicht ist sie falsch geschrieben, oder der Benutzer wurde gelöscht.',
  userFound: ({ created }) => `Der Benutzer wurde am ${created} erstellt.`,
  banned: ({ until }) => `Der Benutzer ist bis ${until} gesperrt.`,
  accountLocked: ({ since }) => `Das Konto ist seit ${since} zur Sicherheit gesperrt.`,
  signInFrozen: ({ since }) => `Die Anmeldung ist seit ${since} ausgesetzt.`,
  signUpFrozen: ({ since }) => `Die Registrierung ist seit ${since} ausgesetzt.`,
  writesFrozen: ({ since }) => `Alle Änderungen sind seit ${since} ausgesetzt.`,
  signUpRejected: ({ reason }) => `Die Registrierungsregeln weisen einen neuen Benutzer mit dieser Adresse ab: ${reason}.`,
  bannedForever: 'Der Benutzer ist gesperrt, bis ein Administrator die Sperre aufhebt.',
  emailUnverified: 'Die E-Mail-Adresse ist nicht bestätigt, und die Anmeldung verlangt es.',
  lockout: ({ wait, failures }) => `Die Anmeldung ist für ${wait} s gesperrt, nach ${failures} Fehlversuchen in Folge.`,
  factorLockout: ({ wait, failures }) => `Codes des zweiten Faktors sind für ${wait} s gesperrt, nach ${failures} falschen.`,
  factorSuspended:
    'Codes des zweiten Faktors sind nach 100 falschen abgeschaltet. Abhilfe: die Faktoren des Benutzers zurücksetzen.',
  codeLockout: ({ wait, failures }) => `Codes per E-Mail sind für ${wait} s gesperrt, nach ${failures} falschen.`,
  mailLimit: ({ wait }) => `An diese Adresse gehen für ${wait} s keine Codes und Links.`,
  rateLimit: ({ call, wait, count, max, window }) =>
    `${call} ist für ${wait} s begrenzt: ${count} von ${max} Anfragen in ${window} s.`,
  limitsOff: 'Anfragelimits sind ausgeschaltet.',
  limitsUnseen: 'Die Zähler der Anfragelimits liegen im Speicher der Daemons, und keiner ist hier sichtbar.',
  privateAddress:
    'Das ist eine Adresse eines privaten Netzes, wahrscheinlich die eines Proxys davor. Abhilfe: server.trustedProxies auf dessen Netz setzen.',
  notStored: 'IP-Adressen werden nicht gespeichert, sodass Ablehnungen nicht über sie zu finden sind.',
  nothingRecorded:
    'Für diese Anfrage ist keine Ablehnung verzeichnet. Vielleicht war der Aufruf erfolgreich, die Eingabe ungültig, oder das Ereignis wurde gelöscht. Das Log des Daemons kann die ID enthalten.',
  requestTime: ({ time }) => `Die Anfrage kam am ${time}.`,
  codeUnknown:
    'Kein Aufruf, keine Weiterleitung und kein Befehl hat diesen Code. Funktionen der Konfiguration können eigene Codes haben.',
}
