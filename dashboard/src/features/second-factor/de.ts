import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  title: 'Sicherheit',
  lead: [
    'Was die Anmeldung bei Ihrem Konto außer Ihrem Passwort braucht.',
    'Was die Anmeldung bei deinem Konto außer deinem Passwort braucht.',
  ],
  goesBack: ['Sie haben jetzt einen zweiten Faktor.', 'Du hast jetzt einen zweiten Faktor.'],
  goBack: ['Weiter, wo Sie waren', 'Weiter, wo du warst'],
  secondFactors: 'Zweite Faktoren',
  factorsText: [
    'Damit kann sich auch jemand, der Ihr Passwort kennt, nicht anmelden.',
    'Damit kann sich auch jemand, der dein Passwort kennt, nicht anmelden.',
  ],
  passwordOnly: [
    'Die Anmeldung braucht nur Ihr Passwort. Richten Sie einen zweiten Faktor ein, damit ein gestohlenes Passwort nicht genügt.',
    'Die Anmeldung braucht nur dein Passwort. Richte einen zweiten Faktor ein, damit ein gestohlenes Passwort nicht genügt.',
  ],
  oneStepOnly: [
    'Die Anmeldung braucht nur einen Schritt. Richten Sie einen zweiten Faktor ein, damit ein gestohlener Schritt nicht genügt.',
    'Die Anmeldung braucht nur einen Schritt. Richte einen zweiten Faktor ein, damit ein gestohlener Schritt nicht genügt.',
  ],
  passwordAndCode: ['Die Anmeldung braucht Ihr Passwort und einen Code.', 'Die Anmeldung braucht dein Passwort und einen Code.'],
  passwordAndFactor: [
    'Die Anmeldung braucht Ihr Passwort und einen zweiten Faktor.',
    'Die Anmeldung braucht dein Passwort und einen zweiten Faktor.',
  ],
  passwordAndPasskey: [
    'Die Anmeldung braucht Ihr Passwort und einen Passkey, oder nur einen Passkey.',
    'Die Anmeldung braucht dein Passwort und einen Passkey, oder nur einen Passkey.',
  ],
  passkeyToo: 'Die Anmeldung braucht einen Passkey.',
  codeToo: 'Die Anmeldung braucht auch einen Code.',
  whenPhoneIsLost: ({ count }, { plural }) =>
    count === 0
      ? [
          'Wenn Sie Ihr Telefon verlieren, haben Sie keine Ersatzcodes.',
          'Wenn du dein Telefon verlierst, hast du keine Ersatzcodes.',
        ]
      : [
          plural(count, {
            one: 'Wenn Sie Ihr Telefon verlieren, haben Sie # Ersatzcode.',
            other: 'Wenn Sie Ihr Telefon verlieren, haben Sie # Ersatzcodes.',
          }),
          plural(count, {
            one: 'Wenn du dein Telefon verlierst, hast du # Ersatzcode.',
            other: 'Wenn du dein Telefon verlierst, hast du # Ersatzcodes.',
          }),
        ],
  codesInReserve: ({ count }, { plural }) =>
    count === 0
      ? ['Sie haben keine Ersatzcodes.', 'Du hast keine Ersatzcodes.']
      : [
          plural(count, { one: 'Sie haben # Ersatzcode.', other: 'Sie haben # Ersatzcodes.' }),
          plural(count, { one: 'Du hast # Ersatzcode.', other: 'Du hast # Ersatzcodes.' }),
        ],
  fewCodes: ({ count }, { plural }) =>
    count === 0
      ? ['Sie haben keine Ersatzcodes mehr', 'Du hast keine Ersatzcodes mehr']
      : [
          plural(count, { one: 'Sie haben nur noch # Ersatzcode', other: 'Sie haben nur noch # Ersatzcodes' }),
          plural(count, { one: 'Du hast nur noch # Ersatzcode', other: 'Du hast nur noch # Ersatzcodes' }),
        ],
  fewCodesText: ['Erstellen Sie neue, bevor Sie sie brauchen.', 'Erstelle neue, bevor du sie brauchst.'],
  nextStep: ['Nächster Schritt: Fügen Sie einen Passkey hinzu', 'Nächster Schritt: Füge einen Passkey hinzu'],
  nextStepText:
    'Eine Seite, die dieser nur ähnlich sieht, kann einen Code stehlen. Ein Passkey gilt nur hier, und es gibt nichts abzutippen.',
  goToPasskeys: 'Zu den Passkeys',
  app: 'Authenticator-App',
  appText: [
    'Eine App auf Ihrem Telefon zeigt alle 30 Sekunden einen neuen Code, auch ohne Verbindung.',
    'Eine App auf deinem Telefon zeigt alle 30 Sekunden einen neuen Code, auch ohne Verbindung.',
  ],
  ownPasskey: ['Ihr Passkey', 'Dein Passkey'],
  passkeyFactor: 'Passkey nach dem Passwort',
  passkeyText: [
    'Die Anmeldung mit Ihrem Passwort braucht dann auch einen Passkey. Ein Passkey allein genügt weiterhin.',
    'Die Anmeldung mit deinem Passwort braucht dann auch einen Passkey. Ein Passkey allein genügt weiterhin.',
  ],
  passkeyOn: [
    'Die Anmeldung mit Ihrem Passwort braucht auch einen Passkey. Ein Passkey allein genügt.',
    'Die Anmeldung mit deinem Passwort braucht auch einen Passkey. Ein Passkey allein genügt.',
  ],
  passkeyAnyway: [
    'Ihre Passkeys zählen schon als zweiter Faktor, solange Sie noch einen anderen haben.',
    'Deine Passkeys zählen schon als zweiter Faktor, solange du noch einen anderen hast.',
  ],
  addPasskeyFirst: ['Fügen Sie zuerst unten einen Passkey hinzu.', 'Füge zuerst unten einen Passkey hinzu.'],
  turnOnPasskey: 'Passkey verlangen',
  turnOffPasskey: 'Passkey nicht mehr verlangen',
  turnOffPasskeyQuestion: 'Keinen Passkey mehr verlangen?',
  passkeyIsOn: [
    'Die Anmeldung mit Ihrem Passwort braucht jetzt auch einen Passkey.',
    'Die Anmeldung mit deinem Passwort braucht jetzt auch einen Passkey.',
  ],
  passkeyIsOff: 'Ein Passkey wird nicht mehr verlangt.',
  setUpApp: 'Authenticator-App einrichten',
  replaceApp: 'App ersetzen',
  removeApp: 'App entfernen',
  texts: 'Codes per SMS',
  emails: 'Codes per E-Mail',
  textsText: [
    'Bei der Anmeldung senden wir einen Code an Ihre Telefonnummer.',
    'Bei der Anmeldung senden wir einen Code an deine Telefonnummer.',
  ],
  emailsText: [
    'Bei der Anmeldung senden wir einen Code an Ihre E-Mail-Adresse. Schwächer als eine App: Mit dem Postfach lässt sich oft auch das Passwort zurücksetzen.',
    'Bei der Anmeldung senden wir einen Code an deine E-Mail-Adresse. Schwächer als eine App: Mit dem Postfach lässt sich oft auch das Passwort zurücksetzen.',
  ],
  sentTo: ({ to }) => `An ${to}`,
  turnOnTexts: 'Codes per SMS einschalten',
  turnOnEmails: 'Codes per E-Mail einschalten',
  turnOffTexts: 'Codes per SMS abschalten',
  turnOffEmails: 'Codes per E-Mail abschalten',
  verifyNumberFirst: 'Zuerst eine Telefonnummer bestätigen',
  verifyEmailFirst: 'Zuerst die E-Mail-Adresse bestätigen',
  addedOn: 'Hinzugefügt am',
  addedWith: ({ device }) => `mit ${device}`,
  lastUsed: 'Zuletzt verwendet:',
  clockSlow: [
    'Die Uhr des Geräts mit dieser App scheint nachzugehen. Stellen Sie dort die Zeit auf automatisch.',
    'Die Uhr des Geräts mit dieser App scheint nachzugehen. Stelle dort die Zeit auf automatisch.',
  ],
  clockFast: [
    'Die Uhr des Geräts mit dieser App scheint vorzugehen. Stellen Sie dort die Zeit auf automatisch.',
    'Die Uhr des Geräts mit dieser App scheint vorzugehen. Stelle dort die Zeit auf automatisch.',
  ],
  backupCodes: 'Ersatzcodes',
  codesLeft: ({ count }, { plural }) =>
    plural(count, {
      one: 'Noch # Code. Er funktioniert einmal, anstelle eines zweiten Faktors.',
      other: 'Noch # Codes. Jeder funktioniert einmal, anstelle eines zweiten Faktors.',
    }),
  newCodes: 'Neue Codes erstellen',
  newCodesText: [
    'Die Codes, die Sie jetzt haben, funktionieren dann nicht mehr.',
    'Die Codes, die du jetzt hast, funktionieren dann nicht mehr.',
  ],
  createCodes: 'Codes erstellen',
  codesCreated: [
    'Sie haben neue Ersatzcodes. Die bisherigen funktionieren nicht mehr.',
    'Du hast neue Ersatzcodes. Die bisherigen funktionieren nicht mehr.',
  ],
  password: 'Passwort',
  next: 'Weiter',
  setUpText: [
    'Sie brauchen eine Authenticator-App, zum Beispiel die Ihres Passwortmanagers.',
    'Du brauchst eine Authenticator-App, zum Beispiel die deines Passwortmanagers.',
  ],
  replaceText: [
    'Die App, die Sie jetzt verwenden, funktioniert, bis die neue ihren ersten Code gezeigt hat. Sie erhalten auch neue Ersatzcodes.',
    'Die App, die du jetzt verwendest, funktioniert, bis die neue ihren ersten Code gezeigt hat. Du erhältst auch neue Ersatzcodes.',
  ],
  scan: ['Scannen Sie diesen QR-Code mit Ihrer Authenticator-App.', 'Scanne diesen QR-Code mit deiner Authenticator-App.'],
  qrCode: ['QR-Code für Ihre Authenticator-App', 'QR-Code für deine Authenticator-App'],
  openInApp: 'In der Authenticator-App öffnen',
  typeKey: ['Oder geben Sie diesen Schlüssel in der App ein:', 'Oder gib diesen Schlüssel in der App ein:'],
  copyKey: 'Schlüssel kopieren',
  signOutOthers: 'Alle anderen Geräte abmelden',
  firstCodeHint: 'Der Code, den die App jetzt zeigt.',
  verifyApp: 'Bestätigen',
  appAdded: [
    'Ihre Authenticator-App ist eingerichtet. Die Anmeldung braucht ab jetzt ihren Code.',
    'Deine Authenticator-App ist eingerichtet. Die Anmeldung braucht ab jetzt ihren Code.',
  ],
  appReplaced: [
    'Ihre Authenticator-App wurde ersetzt. Die bisherige funktioniert nicht mehr.',
    'Deine Authenticator-App wurde ersetzt. Die bisherige funktioniert nicht mehr.',
  ],
  codesFor: ({ appName, email }) => `Ersatzcodes für ${appName}, ${email}`,
  codesOnce: [
    'Bewahren Sie diese Codes dort auf, wo Sie sie ohne Ihr Telefon finden. Sie werden nicht erneut angezeigt.',
    'Bewahre diese Codes dort auf, wo du sie ohne dein Telefon findest. Die Codes werden nicht erneut angezeigt.',
  ],
  codesFile: 'ersatzcodes.txt',
  copyCodes: 'Codes kopieren',
  downloadCodes: 'Herunterladen',
  printCodes: 'Drucken',
  keepFirst: [
    'Kopieren, speichern oder drucken Sie die Codes, damit Sie fortfahren können.',
    'Kopiere, speichere oder drucke die Codes, damit du fortfahren kannst.',
  ],
  codesKept: ['Prüfen Sie, ob Sie die Codes haben, bevor Sie fortfahren.', 'Prüfe, ob du die Codes hast, bevor du fortfährst.'],
  turnOn: 'Einschalten',
  textsOn: 'Codes per SMS sind eingeschaltet.',
  emailsOn: 'Codes per E-Mail sind eingeschaltet.',
  removeAppQuestion: ['Ihre Authenticator-App entfernen?', 'Deine Authenticator-App entfernen?'],
  turnOffQuestion: 'Das Senden von Codes abschalten?',
  turnOffCodes: 'Abschalten',
  appRemoved: ['Ihre Authenticator-App wurde entfernt.', 'Deine Authenticator-App wurde entfernt.'],
  codesOff: 'Codes werden nicht mehr gesendet.',
  bothEnd: 'Codes per SMS und Codes per E-Mail enden beide.',
  onlyPasswordLeft: ['Die Anmeldung braucht dann nur Ihr Passwort.', 'Die Anmeldung braucht dann nur dein Passwort.'],
  noFactorLeft: 'Die Anmeldung braucht dann keinen zweiten Faktor.',
  stillThere: ['Sie können sich weiterhin anmelden mit:', 'Du kannst dich weiterhin anmelden mit:'],
  codesAndTrustEnd: [
    'Ihre Ersatzcodes und vertrauenswürdigen Browser enden auch.',
    'Deine Ersatzcodes und vertrauenswürdigen Browser enden auch.',
  ],
  trustEnds: ['Ihre vertrauenswürdigen Browser enden.', 'Deine vertrauenswürdigen Browser enden.'],
  trustedBrowsers: 'Vertrauenswürdige Browser',
  trustText: [
    'Dort brauchen Sie bei der Anmeldung keinen zweiten Faktor. Wichtige Änderungen verlangen trotzdem einen.',
    'Dort brauchst du bei der Anmeldung keinen zweiten Faktor. Wichtige Änderungen verlangen trotzdem einen.',
  ],
  noBrowsers: ['Sie vertrauen keinem Browser.', 'Du vertraust keinem Browser.'],
  unnamedBrowser: 'Unbekannter Browser',
  thisBrowser: 'Dieser Browser',
  trustedUntil: 'vertrauenswürdig bis',
  endTrust: 'Vertrauen beenden',
  endNamed: ({ name }) => `Vertrauen in ${name} beenden`,
  endAll: 'Vertrauen in alle Browser beenden',
  endQuestion: ({ name }) => `Vertrauen in ${name} beenden?`,
  endAllQuestion: 'Vertrauen in alle Browser beenden?',
  endText: 'Die nächste Anmeldung dort braucht wieder einen zweiten Faktor.',
  endAllText: 'Die nächste Anmeldung in jedem von ihnen braucht wieder einen zweiten Faktor.',
  ended: ({ name }) => `${name} ist nicht mehr vertrauenswürdig.`,
  allEnded: 'Kein Browser ist mehr vertrauenswürdig.',
}
