import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  apiReference: 'API-Referenz',
  openAPIDocument: 'OpenAPI-Dokument',
  overview: 'Überblick',
  calls: 'Aufrufe',
  searchCalls: 'Aufrufe suchen',
  searchHint: '/ drücken, um zu suchen',
  noMatches: 'Kein Aufruf passt.',
  baseURL: 'Basis-URL',
  baseURLText: 'Die Pfade aller Aufrufe beginnen hier.',
  credentials: 'Anmeldedaten',
  credentialsText: 'Ein Aufruf, der eine Sitzung braucht, akzeptiert eines davon. Bei jedem Aufruf steht, welche.',
  sessionCookie: 'Sitzungs-Cookie',
  bearerToken: 'Bearer-Token',
  apiKey: 'API-Schlüssel',
  accepts: 'Akzeptiert',
  errors: 'Fehler',
  sharedErrorsText:
    'Ein Fehler hat einen Code für Programme und eine Meldung auf Englisch. Die meisten Aufrufe können mit diesen antworten:',
  alsoErrors: 'Fehler der meisten Aufrufe',
  objects: 'Objekte',
  objectsText: 'Objekte, die mehrere Aufrufe erhalten oder zurückgeben.',
  membersOf: ({ name }) => `Felder von ${name}`,
  linkTo: ({ title }) => `Link zu „${title}“`,
  deprecated: 'Veraltet',
  parameters: 'Parameter',
  inPath: 'im Pfad',
  inQuery: 'in der Query',
  inHeader: 'ein Header',
  body: 'Body der Anfrage',
  form: 'Wird als Formular gesendet.',
  bodyOptional: 'Der Body ist optional.',
  noMembers: 'Ein Objekt ohne Felder.',
  response: 'Antwort',
  pageResponse: 'Ein Browser erhält eine Seite.',
  redirect: 'Weiterleitung',
  headers: 'Header',
  name: 'Bezeichnung',
  meaning: 'Beschreibung',
  typeAndMeaning: 'Typ und Beschreibung',
  errorCode: 'Fehlercode',
  required: 'erforderlich',
  oneOf: 'Eines von',
  byDefault: 'Standard',
  example: 'Beispiel',
  pattern: 'Muster',
  characters: ({ least, most }, { number }) =>
    least === undefined
      ? `Höchstens ${number(most ?? 0)} Zeichen`
      : most === undefined
        ? `Mindestens ${number(least)} Zeichen`
        : `${number(least)} bis ${number(most)} Zeichen`,
  items: ({ least, most }, { number }) =>
    least === undefined
      ? `Höchstens ${number(most ?? 0)} Einträge`
      : most === undefined
        ? `Mindestens ${number(least)} Einträge`
        : `${number(least)} bis ${number(most)} Einträge`,
  range: ({ least, most }, { number }) =>
    least === undefined
      ? `Höchstens ${number(most ?? 0)}`
      : most === undefined
        ? `Mindestens ${number(least)}`
        : `${number(least)} bis ${number(most)}`,
  codeLanguage: 'Sprache des Codes',
  copyCode: 'Kopieren',
  exampleResponse: 'Beispielantwort',
  tryIt: 'Ausprobieren',
  tryText: 'Sendet die Anfrage von diesem Browser aus, mit seiner Sitzung. Änderungen sind echt.',
  sendRequest: 'Anfrage senden',
  requestFailed: [
    'Die Anfrage konnte nicht gesendet werden. Prüfen Sie Ihre Verbindung.',
    'Die Anfrage konnte nicht gesendet werden. Prüfe deine Verbindung.',
  ],
  invalidJSON: 'Der Body ist kein gültiges JSON.',
  redirected: 'Die Antwort ist eine Weiterleitung, die ein Skript nicht lesen kann.',
}
