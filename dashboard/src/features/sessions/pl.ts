import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  activity: 'Ostatnia aktywność',
  sessions: 'Sesje',
  sessionsLead: 'Urządzenia i aplikacje zalogowane do Twojego konta.',
  thisDevice: 'To urządzenie',
  otherSessions: 'Inne sesje',
  device: 'Urządzenie',
  ipAddress: 'Adres IP',
  signedIn: 'Logowanie',
  lastActive: 'Ostatnia aktywność',
  expires: 'Wygasa',
  ifNotUsed: 'jeśli nie będzie używana',
  unknownAddress: 'Nieznany',
  signedInWith: 'Metoda logowania',
  password: 'Hasło',
  linkedAccount: 'Połączone konto',
  passkey: 'Klucz dostępu',
  code: 'Kod',
  backupCode: 'Kod zapasowy',
  emailLink: 'Link z e-maila',
  notKnown: 'Brak informacji',
  signOut: 'Wyloguj się',
  revoke: 'Zakończ',
  revokeNamed: ({ device }) => `Zakończ sesję: ${device}`,
  revokeQuestion: ({ device }) => `Zakończyć tę sesję: ${device}?`,
  revokeText: 'Zakończy się natychmiast. Niezapisane dane na tym urządzeniu mogą przepaść.',
  revokeSession: 'Zakończ sesję',
  revoked: ({ device }) => `Sesja została zakończona: ${device}.`,
  revokeOthers: 'Zakończ wszystkie inne sesje',
  revokeOthersQuestion: 'Zakończyć wszystkie inne sesje?',
  revokeOthersText: ({ count }, { plural }) =>
    plural(count, {
      one: 'Natychmiast zakończy się # sesja. Niezapisane dane na innych urządzeniach mogą przepaść. To urządzenie pozostanie zalogowane.',
      few: 'Natychmiast zakończą się # sesje. Niezapisane dane na innych urządzeniach mogą przepaść. To urządzenie pozostanie zalogowane.',
      many: 'Natychmiast zakończy się # sesji. Niezapisane dane na innych urządzeniach mogą przepaść. To urządzenie pozostanie zalogowane.',
      other:
        'Natychmiast zakończy się # sesji. Niezapisane dane na innych urządzeniach mogą przepaść. To urządzenie pozostanie zalogowane.',
    }),
  revokeCount: ({ count }, { plural }) =>
    plural(count, { one: 'Zakończ # sesję', few: 'Zakończ # sesje', many: 'Zakończ # sesji', other: 'Zakończ # sesji' }),
  revokedOthers: ({ count }, { plural }) =>
    plural(count, {
      one: 'Zakończono # sesję.',
      few: 'Zakończono # sesje.',
      many: 'Zakończono # sesji.',
      other: 'Zakończono # sesji.',
    }),
  signOutEverywhere: 'Wyloguj się wszędzie',
  signOutEverywhereLead: 'Kończy wszystkie sesje, także na tym urządzeniu.',
  signOutEverywhereQuestion: 'Wylogować się wszędzie?',
  signOutEverywhereText: ({ count }, { plural }) =>
    plural(count, {
      one: 'Natychmiast zakończy się # sesja, także na tym urządzeniu. Niezapisane dane mogą przepaść.',
      few: 'Natychmiast zakończą się # sesje, także na tym urządzeniu. Niezapisane dane mogą przepaść.',
      many: 'Natychmiast zakończy się # sesji, także na tym urządzeniu. Niezapisane dane mogą przepaść.',
      other: 'Natychmiast zakończy się # sesji, także na tym urządzeniu. Niezapisane dane mogą przepaść.',
    }),
  noOthers: 'Brak innych sesji',
  noOthersText: 'Twoje konto jest zalogowane tylko na tym urządzeniu.',
  unrecognized: 'Nie rozpoznajesz którejś sesji?',
  unrecognizedText: 'Zakończ ją, a potem',
  changePassword: 'zmień hasło',
}
