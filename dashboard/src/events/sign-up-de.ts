import type { Translation } from '../i18n/messages.ts'
import type { messages as english, attempts as englishAttempts } from './sign-up-en.ts'

export const attempts: Translation<typeof englishAttempts> = {
  'POST /invite-link/preview': 'einen Einladungslink lesen',
  'POST /invite-link/open': 'einen Einladungslink öffnen',
  'POST /invite-link/accept': 'mit einem Einladungslink einer Organisation beitreten',
  'GET /admin/list-invite-links': 'Einladungslinks auflisten',
  'POST /admin/create-invite-link': 'einen Einladungslink erstellen',
  'POST /admin/revoke-invite-link': 'einen Einladungslink widerrufen',
  'POST /waiting-list/join': 'der Warteliste beitreten',
  'GET /admin/list-waiting-list': 'die Warteliste auflisten',
  'POST /admin/approve-waiting-list': 'Bewerber freischalten',
  'POST /admin/decline-waiting-list': 'Bewerber ablehnen',
}

const reasons = new Map([
  ['address-blocked', 'Die E-Mail-Adresse ist gesperrt'],
  ['domain-blocked', 'Die Domain ist gesperrt'],
  ['not-listed', 'Die E-Mail-Adresse steht nicht auf der Liste'],
  ['disposable-domain', 'Die Domain hat Wegwerf-Postfächer'],
  ['closed', 'Die Registrierung ist geschlossen'],
  ['not-invited', 'Die Registrierung braucht eine Einladung'],
  ['not-approved', 'Die E-Mail-Adresse ist nicht freigeschaltet'],
  ['mailbox-taken', 'Ein anderer Benutzer hat das Postfach'],
])

const signUpReason = (reason: string): string => reasons.get(reason) ?? reason

export const messages: Translation<typeof english> = {
  'sign-up.rejected': ({ actor, reason }) => `${actor} wurde von den Registrierungsregeln abgewiesen: ${signUpReason(reason)}`,
  'sign-up.waived': ({ user, reason }) => `${user} wurde zugelassen, obwohl eine Regel dagegen spricht: ${signUpReason(reason)}`,
  'sign-up.overridden': ({ actor, user, reason }) =>
    `${actor} hat ${user} trotz der Registrierungsregeln erstellt: ${signUpReason(reason)}`,
  'invite-link.created': ({ actor }) => `${actor} hat einen Einladungslink erstellt`,
  'invite-link.revoked': ({ actor }) => `${actor} hat einen Einladungslink widerrufen`,
  'invite-link.used': ({ user }) => `${user} hat einen Einladungslink verwendet`,
  'waiting-list.joined': ({ actor }) => `${actor} ist der Warteliste beigetreten`,
  'waiting-list.approved': ({ actor }) => `${actor} hat einen Bewerber freigeschaltet`,
  'waiting-list.declined': ({ actor }) => `${actor} hat einen Bewerber abgelehnt`,
  'waiting-list.listed': ({ actor }) => `${actor} hat die Warteliste aufgelistet`,
}
