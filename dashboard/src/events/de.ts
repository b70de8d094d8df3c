import type { Format } from '../i18n/format.ts'
import type { Translation } from '../i18n/messages.ts'
import { messages as attempts } from './attempts-de.ts'
import type { messages as english } from './en.ts'
import { messages as moving } from './moving-de.ts'
import { messages as ownRoles } from './organization-roles-de.ts'
import { messages as signUp } from './sign-up-de.ts'

/** What a call does; undefined for one that a newer server has recorded. */
const attemptOf = (route: string): string | undefined =>
  Object.entries(attempts).find(([known]) => known === route)?.[1] as string | undefined

const own = (isOwn: boolean, user: string, word: string) => (isOwn ? `${word}` : `${word} von ${user}`)
const sessions = (count: number, { plural }: Format) => plural(count, { one: '# Sitzung', other: '# Sitzungen' })

const causes = new Map([
  ['replaced', 'derselbe Browser oder dasselbe Programm hat sich neu angemeldet'],
  ['limit', 'eine Anmeldung hat die Höchstzahl der Sitzungen erreicht'],
  ['browser-limit', 'der Browser hat sich bei zu vielen Konten angemeldet'],
  ['password-changed', 'das Passwort wurde geändert'],
  ['email-verified', 'wem die E-Mail-Adresse gehört, hat alles aus der Zeit vor der Bestätigung beendet'],
  ['impersonation-ended', 'in fremdem Namen zu handeln ist nicht mehr erlaubt'],
])

const challengeReasons = new Map([
  ['has-factor', ', weil einer eingerichtet ist'],
  ['required', ', weil eine Regel ihn verlangt'],
])
const signInReasons = new Map([
  ['trusted-browser', ', ohne zweiten Faktor, weil der Browser vertrauenswürdig ist'],
  ['two-factors-in-one', '; das beweist zwei Faktoren auf einmal'],
  ['provider-trusted', '; die Konfiguration vertraut darauf, dass der Anbieter zwei Faktoren verlangt'],
  ['has-factor', ', mit dem zweiten Faktor'],
  ['required', ', mit dem zweiten Faktor, den eine Regel verlangt'],
])

export const messages: Translation<typeof english> = {
  'user.signed-in': ({ user, method, reason }) =>
    `${user} hat sich${method ? ` mit ${method}` : ''} angemeldet${signInReasons.get(reason) ?? ''}`,
  'user.signed-out': ({ user }) => `${user} hat sich abgemeldet`,
  'sign-in.failed': ({ user, hasUser }) =>
    hasUser ? `Anmeldung von ${user} ist fehlgeschlagen` : 'Eine Anmeldung ist fehlgeschlagen',
  'session.updated': ({ actor, user, isOwn }) =>
    `${actor} hat Felder ${isOwn ? 'der eigenen Sitzung' : `einer Sitzung von ${user}`} geändert`,
  'session.transferred': ({ user }) => `${user} hat die eigene Sitzung auf ein anderes Gerät übertragen`,
  'anonymous-user.linked': ({ user }) => `${user} hat die Daten eines anonymen Benutzers übernommen`,
  'sessions.revoked': ({ actor, user, isOwn, hasUser, count, reason }, format) => {
    const cause = causes.get(reason)
    if (cause !== undefined) return `${sessions(count, format)} von ${user} beendet: ${cause}`
    const of = isOwn ? '' : hasUser ? ` von ${user}` : ' aller Benutzer'
    return `${actor} hat ${sessions(count, format)}${of} beendet`
  },
  'password.changed': ({ actor, user, isOwn }) =>
    `${actor} hat ${own(isOwn, user, isOwn ? 'das eigene Passwort' : 'das Passwort')} geändert`,
  'password.reset': ({ user }) => `${user} hat über einen Link ein neues Passwort gesetzt`,
  'password.set': ({ actor, user, isOwn }) =>
    isOwn ? `${actor} hat ein Passwort gesetzt` : `${actor} hat das Passwort von ${user} gesetzt`,
  'password.verified': ({ actor }) => `${actor} hat das eigene Passwort bestätigt`,
  'password.removed': ({ actor, user, isOwn, reason }) =>
    reason === 'unlinked'
      ? `${actor} hat ${own(isOwn, user, isOwn ? 'das eigene Passwort' : 'das Passwort')} entfernt`
      : `Das Passwort von ${user} aus der Zeit vor der Bestätigung der E-Mail-Adresse wurde entfernt`,
  'password.replacement-required': ({ user }) => `${user} muss das Passwort vor der nächsten Anmeldung ersetzen`,
  'password-reset.requested': ({ user, hasFailed }) =>
    hasFailed
      ? 'Für eine E-Mail-Adresse ohne Konto wurde ein neues Passwort angefordert'
      : `Für ${user} wurde ein neues Passwort angefordert`,
  'setup-link.created': ({ actor, user }) => `${actor} hat einen Einrichtungslink für ${user} erstellt`,
  'account.linked': ({ actor, user, isOwn, method }) =>
    `${actor} hat ${method || 'ein soziales Konto'}${isOwn ? '' : ` mit ${user}`} verknüpft`,
  'account.unlinked': ({ actor, user, isOwn, method }) =>
    `${actor} hat ${method || 'eine Anmeldemethode'}${isOwn ? '' : ` von ${user}`} entfernt`,
  'passkey.created': ({ actor, user, isOwn }) => `${actor} hat${isOwn ? '' : ` ${user}`} einen Passkey hinzugefügt`,
  'passkey.renamed': ({ actor }) => `${actor} hat einen Passkey umbenannt`,
  'passkey.deleted': ({ actor, user, isOwn }) => `${actor} hat einen Passkey${isOwn ? '' : ` von ${user}`} gelöscht`,
  'passkey.cloned': ({ user }) =>
    `Eine Anmeldung mit einem Passkey von ${user} wurde abgelehnt, weil er vielleicht kopiert wurde`,
  'passkey.suspended': ({ user }) => `Ein Passkey von ${user} wurde gesperrt`,
  'passkey.rejected': ({ user }) => `Ein Passkey von ${user} wurde wegen des Modells seines Authenticators abgelehnt`,
  'passkey.restored': ({ actor }) => `${actor} hat einen gesperrten Passkey wieder erlaubt`,
  'two-factor.challenged': ({ user, reason }) =>
    `Eine Anmeldung von ${user} wartet auf den zweiten Faktor${challengeReasons.get(reason) ?? ''}`,
  'two-factor.failed': ({ user }) => `Ein falscher Code wurde als zweiter Faktor von ${user} eingegeben`,
  'two-factor.required': ({ user }) => `Eine Regel verlangt einen zweiten Faktor von ${user}`,
  'two-factor.enabled': ({ actor }) => `${actor} hat einen ersten zweiten Faktor eingerichtet`,
  'two-factor.disabled': ({ actor }) => `${actor} hat den letzten zweiten Faktor entfernt`,
  'two-factor.method-added': ({ actor }) => `${actor} hat einen zweiten Faktor hinzugefügt oder ersetzt`,
  'two-factor.method-removed': ({ actor }) => `${actor} hat einen zweiten Faktor entfernt`,
  'two-factor.stepped-up': ({ actor }) => `${actor} hat den zweiten Faktor bestätigt`,
  'two-factor.backup-codes-created': ({ actor }) => `${actor} hat Ersatzcodes erstellt`,
  'two-factor.backup-code-used': ({ user }) => `${user} hat einen Ersatzcode verwendet`,
  'two-factor.backup-code-rehearsed': ({ actor }) => `${actor} hat einen Ersatzcode ausprobiert und einen neuen dafür erhalten`,
  'two-factor.secret-shown': ({ actor }) => `${actor} hat den Schlüssel der Authenticator-App angesehen`,
  'two-factor.locked': ({ user }) => `Falsche Codes verzögern den zweiten Faktor von ${user}`,
  'two-factor.suspended': ({ user }) => `Codes als zweiter Faktor von ${user} wurden nach zu vielen falschen Codes abgeschaltet`,
  'trusted-device.added': ({ actor }) => `${actor} vertraut einem Browser`,
  'trusted-device.removed': ({ actor, user, reason }) =>
    reason ? `Das Vertrauen in Browser von ${user} wurde beendet` : `${actor} hat das Vertrauen in Browser beendet`,
  'api-key.created': ({ actor, user, isOwn }) => `${actor} hat einen API-Schlüssel${isOwn ? '' : ` für ${user}`} erstellt`,
  'api-key.updated': ({ actor, user, isOwn }) => `${actor} hat einen API-Schlüssel${isOwn ? '' : ` von ${user}`} geändert`,
  'api-key.deleted': ({ actor, user, isOwn }) => `${actor} hat einen API-Schlüssel${isOwn ? '' : ` von ${user}`} gelöscht`,
  'api-key.expired': ({ user }) => `Ein API-Schlüssel von ${user} wurde gelöscht, weil er nicht mehr verwendbar ist`,
  'user.created': ({ actor, user, isOwn }) => (isOwn ? `${user} hat sich registriert` : `${actor} hat ${user} erstellt`),
  'user.updated': ({ actor, user, isOwn }) =>
    `${actor} hat ${own(isOwn, user, isOwn ? 'das eigene Profil' : 'das Profil')} geändert`,
  'user.email-changed': ({ actor, user, isOwn }) =>
    `${actor} hat ${own(isOwn, user, isOwn ? 'die eigene E-Mail-Adresse' : 'die E-Mail-Adresse')} geändert`,
  'user.email-verified': ({ user }) => `${user} hat die E-Mail-Adresse bestätigt`,
  'phone-number.code-requested': () => 'Ein Code wurde an eine Telefonnummer gesendet',
  'phone-number.verified': ({ user }) => `${user} hat eine Telefonnummer bestätigt`,
  'phone-number.released': ({ user }) =>
    `${user} hat eine unbestätigte Telefonnummer verloren, die ein anderer Benutzer bestätigt hat`,
  'magic-link.requested': () => 'Ein Anmeldelink wurde angefordert',
  'magic-link.opened-elsewhere': ({ user }) =>
    `${user} hat einen Anmeldelink in einem anderen Browser verwendet als dem, der ihn angefordert hat`,
  'email-code.requested': () => 'Ein Code per E-Mail wurde angefordert',
  'email-code.failed': () => 'Für eine E-Mail-Adresse wurde ein falscher Code eingegeben',
  'email-code.suspended': () => 'Eine E-Mail-Adresse bekommt einen Tag lang längere Codes, weil viele falsch waren',
  'earlier-access.ended': ({ user }) => `Der Zugriff von vor der Bestätigung der E-Mail-Adresse von ${user} ist beendet`,
  'email-change.requested': ({ actor }) => `${actor} hat eine andere E-Mail-Adresse angefordert`,
  'email-verification.requested': ({ user, hasFailed }) =>
    hasFailed
      ? 'Eine Bestätigungsmail wurde für niemanden angefordert, der sie braucht'
      : `Eine Bestätigungsmail wurde für ${user} angefordert`,
  'user-deletion.requested': ({ actor }) => `${actor} hat einen Link zum Löschen des eigenen Kontos angefordert`,
  'user.deleted': ({ actor, user, isOwn }) =>
    isOwn ? `${actor} hat das eigene Konto gelöscht` : `${actor} hat ${user} gelöscht`,
  'terms.accepted': ({ user }) => `${user} hat Bedingungen akzeptiert`,
  'terms.postponed': ({ user }) => `${user} hat Bedingungen aufgeschoben`,
  'terms.declined': ({ user }) => `${user} hat Bedingungen abgelehnt`,
  'user.exported': ({ actor, user, isOwn }) => `${actor} hat ${isOwn ? 'die eigenen Daten' : `die Daten von ${user}`} exportiert`,
  'user.erased': ({ actor, user }) => `${actor} hat ${user} mit allen personenbezogenen Daten gelöscht`,
  'user.role-changed': ({ actor, user, to }) => `${actor} hat die Rolle von ${user} geändert${to ? `: ${to}` : ''}`,
  'user.banned': ({ actor, user }) => `${actor} hat ${user} gesperrt`,
  'user.unbanned': ({ actor, user }) => `${actor} hat die Sperre von ${user} aufgehoben`,
  'user.locked': ({ actor, user }) => `${actor} hat für das Konto von ${user} eine Sicherheitssperre gesetzt`,
  'user.unlocked': ({ actor, user }) => `${actor} hat die Sicherheitssperre von ${user} aufgehoben`,
  'two-factor.reset-requested': ({ user }) => `Das Zurücksetzen der zweiten Faktoren von ${user} wurde angefordert`,
  'two-factor.reset-cancelled': ({ user }) => `Das Zurücksetzen der zweiten Faktoren von ${user} wurde abgebrochen`,
  'two-factor.reset': ({ actor, user }) => `${actor} hat zweite Faktoren von ${user} zurückgesetzt`,
  'bulk-action.created': ({ actor }) => `${actor} hat eine Sammelaktion erstellt`,
  'bulk-action.paused': ({ actor }) => `${actor} hat eine Sammelaktion angehalten`,
  'bulk-action.resumed': ({ actor }) => `${actor} hat eine Sammelaktion fortgesetzt`,
  'bulk-action.ended': () => 'Eine Sammelaktion ist beendet',
  'list-export.created': ({ actor }) => `${actor} hat eine Liste exportiert`,
  'list-export.ended': () => 'Der Export einer Liste ist beendet',
  'list-export.downloaded': ({ actor }) => `${actor} hat einen Export heruntergeladen`,
  'user.impersonation-started': ({ actor, user }) => `${actor} hat begonnen, als ${user} zu handeln`,
  'user.impersonation-stopped': ({ actor, user }) => `${actor} handelt nicht mehr als ${user}`,
  'role.created': ({ actor, target }) => `${actor} hat die Rolle ${target} erstellt`,
  'role.updated': ({ actor, target }) => `${actor} hat die Berechtigungen der Rolle ${target} geändert`,
  'role.deleted': ({ actor, target }) => `${actor} hat die Rolle ${target} gelöscht`,
  'organization.created': ({ actor, organization }) => `${actor} hat ${organization} erstellt`,
  'organization.updated': ({ actor, organization }) => `${actor} hat die Einstellungen von ${organization} geändert`,
  'organization.two-factor-policy-changed': ({ actor, organization }) =>
    `${actor} hat geändert, ob ${organization} einen zweiten Faktor verlangt`,
  'organization.two-factor-reminded': ({ actor, organization }) =>
    `${actor} hat Mitglieder von ${organization} ohne zweiten Faktor erinnert`,
  'organization.deleted': ({ actor, organization }) => `${actor} hat ${organization} gelöscht`,
  'member.added': ({ actor, user, organization, role }) =>
    `${actor} hat ${user} zu ${organization} hinzugefügt${role ? `, als ${role}` : ''}`,
  'member.joined': ({ user, organization, role }) => `${user} ist ${organization} beigetreten${role ? `, als ${role}` : ''}`,
  'member.role-changed': ({ actor, user, organization, to }) =>
    `${actor} hat die Rolle von ${user} in ${organization} geändert${to ? `: ${to}` : ''}`,
  'member.removed': ({ actor, user, organization }) => `${actor} hat ${user} aus ${organization} entfernt`,
  'member.left': ({ user, organization }) => `${user} hat ${organization} verlassen`,
  'invitation.created': ({ actor, target, organization, role }) =>
    `${actor} hat ${target} zu ${organization} eingeladen${role ? `, als ${role}` : ''}`,
  'invitation.resent': ({ actor, target, organization }) =>
    `${actor} hat die Einladung von ${target} zu ${organization} erneut gesendet`,
  'invitation.canceled': ({ actor, target, organization }) =>
    `${actor} hat die Einladung von ${target} zu ${organization} zurückgezogen`,
  'invitation.rejected': ({ actor, organization }) => `${actor} hat eine Einladung zu ${organization} abgelehnt`,
  'team.created': ({ actor, target, organization }) => `${actor} hat das Team ${target} in ${organization} erstellt`,
  'team.updated': ({ actor, target, organization, from }) =>
    from
      ? `${actor} hat das Team ${from} von ${organization} in ${target} umbenannt`
      : `${actor} hat das Team ${target} von ${organization} geändert`,
  'team.removed': ({ actor, target, organization }) => `${actor} hat das Team ${target} aus ${organization} entfernt`,
  'access.denied': ({ actor, route }) => {
    const attempt = attemptOf(route)
    if (attempt) return `${actor} wollte ${attempt} und durfte es nicht`
    return route ? `${actor} darf ${route} nicht aufrufen` : `${actor} hat keinen Zugriff erhalten`
  },
  ...ownRoles,
  ...moving,
  ...signUp,
  'rate-limit.reached': ({ actor, route }) => {
    const attempt = attemptOf(route)
    if (attempt) return `${actor} wollte zu oft ${attempt}`
    return route ? `${actor} hat das Limit von ${route} erreicht` : `${actor} hat ein Limit erreicht`
  },
  'incident.frozen': ({ actor }) => `${actor} hat Registrierung, Anmeldung oder Änderungen eingefroren`,
  'incident.unfrozen': ({ actor }) => `${actor} hat etwas Eingefrorenes freigegeben`,
  'incident.revoked': ({ actor, count }, { plural }) =>
    `${actor} hat nach Filtern ${plural(count, { one: '# Sitzung', other: '# Sitzungen' })} beendet`,
  'limits.reset': ({ actor }) => `${actor} hat Limits und Wartezeiten zurückgesetzt`,
  'signing-key.created': ({ actor, target }) => `${actor} hat den Signaturschlüssel ${target} erzeugt`,
  'signing-key.retired': ({ actor, target }) => `${actor} hat den Signaturschlüssel ${target} außer Betrieb genommen`,
  'signing-key.removed': ({ actor, target }) => `${actor} hat den Signaturschlüssel ${target} entfernt`,
  'mail.failed': ({ method }) =>
    method ? `Eine E-Mail konnte nicht zugestellt werden: ${method}` : 'Eine E-Mail konnte nicht zugestellt werden',
  'mail.tested': ({ actor }) => `${actor} hat eine Test-E-Mail an die eigene Adresse angefordert`,
  'mail.retried': ({ actor, count }, { plural }) =>
    `${actor} hat ${plural(count, { one: '# fehlgeschlagene E-Mail', other: '# fehlgeschlagene E-Mails' })} erneut gesendet`,
  'users.listed': ({ actor }) => `${actor} hat Benutzer aufgelistet`,
  'user.read': ({ actor, user, isOwn }) => `${actor} hat ${isOwn ? 'den eigenen Benutzer' : user} angesehen`,
  'user.sessions-read': ({ actor, user, isOwn }) =>
    `${actor} hat ${isOwn ? 'die eigenen Sitzungen' : `die Sitzungen von ${user}`} angesehen`,
  'organizations.listed': ({ actor }) => `${actor} hat Organisationen aufgelistet`,
  'organization.read': ({ actor, organization }) => `${actor} hat die Organisation ${organization} angesehen`,
  'events.read': ({ actor }) => `${actor} hat das Audit-Log gelesen`,
  'mails.listed': ({ actor }) => `${actor} hat ausgehende E-Mails aufgelistet`,
  'limits.read': ({ actor }) => `${actor} hat Limits und Sperren gelesen`,
  'account.token-issued': ({ actor, user, isOwn }) =>
    `${actor} hat das Zugriffstoken des Anbieters${isOwn ? '' : ` von ${user}`} erhalten`,
  'jwt.issued': ({ actor }) => `${actor} hat ein JSON Web Token erhalten`,
  'one-time-token.created': ({ actor }) => `${actor} hat ein Einmal-Token erzeugt`,
  'audit.verified': ({ actor, hasFailed }) =>
    hasFailed ? `${actor} hat das Audit-Log geprüft und Probleme gefunden` : `${actor} hat das Audit-Log geprüft`,
  'audit.events-deleted': ({ count }, { plural }) =>
    plural(count, {
      one: '# Ereignis wurde nach Ablauf der Aufbewahrungszeit gelöscht',
      other: '# Ereignisse wurden nach Ablauf der Aufbewahrungszeit gelöscht',
    }),
  'audit.events-discarded': ({ count }, { plural }) =>
    plural(count, {
      one: '# abgewiesener Aufruf wurde nicht aufgezeichnet',
      other: '# abgewiesene Aufrufe wurden nicht aufgezeichnet',
    }),
  'audit.head-changed': () => 'Das Ende des Audit-Logs wurde nicht von Latchkey geändert',
  otherAction: ({ actor }) => `${actor} hat etwas anderes getan`,
  actingAs: ({ actor, user }) => `${actor} (handelt als ${user})`,
  times: ({ count }, { plural }) => plural(count, { one: '#-mal', other: '#-mal' }),
  visitor: 'Unbekannt',
  operator: 'Betrieb',
  system: 'Latchkey selbst',
  deletedUser: 'Gelöschter Benutzer',
  deletedOrganization: 'Gelöschte Organisation',
  deletedThing: 'gelöscht',
  succeeded: 'Erfolgreich',
  failed: 'Fehlgeschlagen',
  denied: 'Verweigert',
  detailsOf: 'Einzelheiten zu',
  today: ({ date }) => `Heute, ${date}`,
  passwordMethod: 'Passwort',
  events: 'Ereignisse',
}
