import type { Format } from '../../i18n/format.ts'

export interface Count {
  readonly count: number
}
export interface Named {
  readonly name: string
}

export const messages = {
  title: 'Security',
  lead: 'What signing in to your account needs in addition to your password.',
  secondFactors: 'Second factors',
  factorsText: 'With one of them, someone who knows your password still cannot sign in.',
  passwordOnly: 'Signing in needs only your password. Set up a second factor, so that a stolen password is not enough.',
  oneStepOnly: 'Signing in needs one step only. Set up a second factor, so that one stolen step is not enough.',
  passwordAndCode: 'Signing in needs your password and a code.',
  passwordAndFactor: 'Signing in needs your password and a second factor.',
  codeToo: 'Signing in needs a code too.',
  whenPhoneIsLost: ({ count }: Count, { plural }: Format) =>
    count === 0
      ? 'If you lose your phone, you have no backup codes.'
      : plural(count, {
          one: 'If you lose your phone, you have # backup code.',
          other: 'If you lose your phone, you have # backup codes.',
        }),
  codesInReserve: ({ count }: Count, { plural }: Format) =>
    count === 0
      ? 'You have no backup codes.'
      : plural(count, { one: 'You have # backup code.', other: 'You have # backup codes.' }),
  fewCodes: ({ count }: Count, { plural }: Format) =>
    count === 0
      ? 'You have no backup codes left'
      : plural(count, { one: 'You have only # backup code left', other: 'You have only # backup codes left' }),
  fewCodesText: 'Create new ones before you need them.',
  app: 'Authenticator app',
  appText: 'An app on your phone shows a new code every 30 seconds, also without a connection.',
  ownPasskey: 'Your passkey',
  setUpApp: 'Set up authenticator app',
  replaceApp: 'Replace app',
  removeApp: 'Remove app',
  texts: 'Codes by text message',
  emails: 'Codes by email',
  textsText: 'We send a code to your phone number when you sign in.',
  emailsText:
    'We send a code to your email address when you sign in. Weaker than an app: the mailbox often resets the password too.',
  sentTo: ({ to }: { readonly to: string }) => `To ${to}`,
  turnOnTexts: 'Turn on codes by text message',
  turnOnEmails: 'Turn on codes by email',
  turnOffTexts: 'Turn off codes by text message',
  turnOffEmails: 'Turn off codes by email',
  verifyNumberFirst: 'Verify a phone number first',
  verifyEmailFirst: 'Verify your email address first',
  addedOn: 'Added',
  lastUsed: 'Last used',
  backupCodes: 'Backup codes',
  codesLeft: ({ count }: Count, { plural }: Format) =>
    plural(count, {
      one: '# code left. It works once, in place of a second factor.',
      other: '# codes left. Each works once, in place of a second factor.',
    }),
  newCodes: 'Create new codes',
  newCodesText: 'The codes that you have now no longer work then.',
  createCodes: 'Create codes',
  codesCreated: 'You have new backup codes. The former ones no longer work.',
  password: 'Password',
  next: 'Next',
  setUpText: 'You need an authenticator app, such as the one of your password manager.',
  replaceText: 'The app that you use now works until the new one has shown its first code. You get new backup codes too.',
  scan: 'Scan this QR code with your authenticator app.',
  qrCode: 'QR code for your authenticator app',
  openInApp: 'Open in authenticator app',
  typeKey: 'Or enter this key in the app:',
  copyKey: 'Copy the key',
  signOutOthers: 'Sign out all other devices',
  firstCodeHint: 'The code that the app shows now.',
  verifyApp: 'Verify',
  appAdded: 'Your authenticator app is set up. Signing in needs its code from now on.',
  appReplaced: 'Your authenticator app was replaced. The former one no longer works.',
  codesFor: ({ appName, email }: { readonly appName: string; readonly email: string }) => `Backup codes for ${appName}, ${email}`,
  codesOnce: 'Keep these codes where you find them without your phone. They are not shown again.',
  codesFile: 'backup-codes.txt',
  copyCodes: 'Copy codes',
  downloadCodes: 'Download',
  printCodes: 'Print',
  keepFirst: 'Copy, download or print the codes to continue.',
  codesKept: 'Check that you have the codes before you continue.',
  turnOn: 'Turn on',
  textsOn: 'Codes by text message are on.',
  emailsOn: 'Codes by email are on.',
  removeAppQuestion: 'Remove your authenticator app?',
  turnOffQuestion: 'Turn off codes that are sent?',
  turnOffCodes: 'Turn off',
  appRemoved: 'Your authenticator app was removed.',
  codesOff: 'Codes are no longer sent.',
  bothEnd: 'Codes by text message and codes by email both end.',
  onlyPasswordLeft: 'Signing in then needs only your password.',
  noFactorLeft: 'Signing in then needs no second factor.',
  stillThere: 'You can still sign in with:',
  codesAndTrustEnd: 'Your backup codes and trusted browsers end too.',
  trustEnds: 'Your trusted browsers end.',
  trustedBrowsers: 'Trusted browsers',
  trustText: 'They need no second factor when you sign in. Important changes still ask for one.',
  noBrowsers: 'You trust no browser.',
  unnamedBrowser: 'Unknown browser',
  thisBrowser: 'This browser',
  trustedUntil: 'trusted until',
  endTrust: 'End trust',
  endNamed: ({ name }: Named) => `End trust in ${name}`,
  endAll: 'End trust in all browsers',
  endQuestion: ({ name }: Named) => `End trust in ${name}?`,
  endAllQuestion: 'End trust in all browsers?',
  endText: 'The next sign-in there needs a second factor again.',
  endAllText: 'The next sign-in in each of them needs a second factor again.',
  ended: ({ name }: Named) => `${name} is no longer trusted.`,
  allEnded: 'No browser is trusted any more.',
} as const
