import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './policy-en.ts'

export const messages: Translation<typeof english> = {
  policyLabel: 'Drugi składnik członków',
  policyHint: 'Bez niego członkowie nadal mogą się logować, ale nie mogą otworzyć tej organizacji.',
  notRequired: 'Niewymagany',
  requiredNow: 'Wymagany natychmiast',
  requiredAfter: ({ count }, { plural }) =>
    plural(count, {
      one: 'Wymagany, # dzień na konfigurację',
      few: 'Wymagany, # dni na konfigurację',
      many: 'Wymagany, # dni na konfigurację',
      other: 'Wymagany, # dnia na konfigurację',
    }),
  graceText: 'Dni każdego członka są liczone od chwili, gdy następnym razem otworzy organizację.',
  stopsNow: ({ count }, { plural }) =>
    plural(count, {
      one: '# członek natychmiast straci dostęp.',
      few: '# członków natychmiast straci dostęp.',
      many: '# członków natychmiast straci dostęp.',
      other: '# członka natychmiast straci dostęp.',
    }),
  showAdministrators: 'Członkowie bez dostępu do drugiego składnika widzą podczas logowania nazwiska administratorów',
  savePolicy: 'Zapisz zasadę',
  policySaved: 'Zasada została zapisana.',
  setUpOwn: 'Skonfiguruj drugi składnik',
  withoutFactor: 'Członkowie bez drugiego składnika',
  everyoneHasOne: 'Wszyscy członkowie mają drugi składnik.',
  lackOne: ({ count }, { plural }) =>
    plural(count, {
      one: '# członek nie ma drugiego składnika.',
      few: '# członków nie ma drugiego składnika.',
      many: '# członków nie ma drugiego składnika.',
      other: '# członka nie ma drugiego składnika.',
    }),
  andMore: ({ count }, { plural }) =>
    plural(count, { one: 'i jeszcze #', few: 'i jeszcze #', many: 'i jeszcze #', other: 'i jeszcze #' }),
  sendReminders: 'Wyślij przypomnienie',
  remindersText: 'E-mailem, do każdego członka najwyżej raz dziennie.',
  remindersSent: ({ count }, { plural }) =>
    plural(count, {
      one: 'Przypomnienie wysłano do # członka.',
      few: 'Przypomnienia wysłano do # członków.',
      many: 'Przypomnienia wysłano do # członków.',
      other: 'Przypomnienia wysłano do # członka.',
    }),
  alreadyReminded: 'Ci członkowie dostali już przypomnienie w ciągu ostatnich 24 godzin.',
  moreReminders: 'To nie wszyscy członkowie. Wyślij ponownie, aby dotrzeć do pozostałych.',
  stopped: ({ name }) => `Organizacja „${name}” wymaga drugiego składnika`,
  stoppedText:
    'Twoje konto go nie ma. Skonfiguruj go, aby ponownie otworzyć tę organizację. Twoje konto i inne organizacje pozostają dostępne.',
  emailIsNotEnough: 'Kody e-mailem nie wystarczą.',
  otherOrganizations: 'Wszystkie organizacje',
  dueSoon: ({ date }) => `Ta organizacja wymaga drugiego składnika. Skonfiguruj go do ${date}.`,
}
