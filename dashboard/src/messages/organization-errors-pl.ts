import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './organization-errors-en.ts'

const slugIsTaken = 'Tej skróconej nazwy używa inna organizacja. Wybierz inną.'
const notAMember = 'Nie należysz do tej organizacji.'
const noneIsActive = 'Żadna organizacja nie jest aktywna. Otwórz jedną z nich i spróbuj ponownie.'

export const messages: Translation<typeof english> = {
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION: 'Nie masz uprawnień do tworzenia tu organizacji.',
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS:
    'Masz już maksymalną liczbę organizacji. Opuść lub usuń jedną z nich i spróbuj ponownie.',
  ORGANIZATION_ALREADY_EXISTS: slugIsTaken,
  ORGANIZATION_NOT_FOUND: 'Ta organizacja już nie istnieje.',
  USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION: notAMember,
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION: 'Twoja rola nie pozwala zmieniać tej organizacji.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION: 'Twoja rola nie pozwala usunąć tej organizacji.',
  NO_ACTIVE_ORGANIZATION: noneIsActive,
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: 'Ten użytkownik już należy do organizacji.',
  MEMBER_NOT_FOUND: 'Ten użytkownik nie należy już do organizacji.',
  ROLE_NOT_FOUND: 'Nie ma takiej roli. Wybierz inną.',
  TEAM_NOT_FOUND: 'Ten zespół już nie istnieje.',
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER:
    'Organizacja musi mieć co najmniej jednego właściciela. Najpierw przypisz tę rolę innemu członkowi.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER: 'Twoja rola nie pozwala usuwać członków.',
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION: 'Twoja rola nie pozwala na to w tej organizacji.',
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: 'Ten użytkownik ma już zaproszenie.',
  INVITATION_NOT_FOUND: 'Z tego zaproszenia nie można już skorzystać: wygasło, zostało użyte lub anulowane.',
  YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION: 'To zaproszenie jest dla innego adresu e-mail.',
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION:
    'Najpierw zweryfikuj adres e-mail. Potem możesz przyjąć lub odrzucić zaproszenie.',
  YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION: 'Twoja rola nie pozwala anulować zaproszeń.',
  INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION:
    'Osoba, która wysłała zaproszenie, nie należy już do organizacji. Poproś o nowe zaproszenie.',
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE: 'Nie możesz zapraszać użytkowników z tą rolą: pozwala na więcej niż Twoja.',
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS:
    'Ta organizacja ma już maksymalną liczbę zespołów. Usuń jeden z nich i spróbuj ponownie.',
  UNABLE_TO_REMOVE_LAST_TEAM: 'Organizacja musi mieć co najmniej jeden zespół. Najpierw utwórz inny.',
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER: 'Twoja rola nie pozwala w ten sposób zmienić tego członka.',
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: 'Ta organizacja ma już maksymalną liczbę członków.',
  YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION: 'Twoja rola nie pozwala tworzyć zespołów.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION: 'Twoja rola nie pozwala usuwać zespołów.',
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM: 'Twoja rola nie pozwala zmieniać zespołów.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM: 'Nie możesz usunąć zespołu, do którego należysz. Najpierw przejdź do innego.',
  INVITATION_LIMIT_REACHED:
    'Ta organizacja ma już maksymalną liczbę oczekujących zaproszeń. Anuluj jedno z nich i spróbuj ponownie.',
  TEAM_MEMBER_LIMIT_REACHED: 'Ten zespół ma już maksymalną liczbę członków.',
  NOT_AUTHENTICATED: 'Sesja nie jest aktywna. Zaloguj się i spróbuj ponownie.',
  ORGANIZATION_ID_IS_REQUIRED: noneIsActive,
  YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION: notAMember,
  SLUG_IS_TAKEN: slugIsTaken,
  SECOND_FACTOR_REQUIRED:
    'Ta organizacja wymaga drugiego składnika. Skonfiguruj go na swoim koncie, na stronie „Bezpieczeństwo”.',
  TWO_FACTOR_POLICIES_ARE_NOT_ENABLED: 'Organizacje nie mogą tu wymagać drugiego składnika.',
  YOU_NEED_A_SECOND_FACTOR_TO_REQUIRE_ONE:
    'Aby wymagać drugiego składnika, musisz mieć go też na swoim koncie. Skonfiguruj go na stronie „Bezpieczeństwo”.',
  TEAMS_ARE_NOT_ENABLED: 'Zespoły nie są tu dostępne.',
  USER_IS_NOT_A_MEMBER_OF_THE_TEAM: 'Ten członek nie należy już do zespołu.',
  YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM: 'Nie masz aktywnego zespołu. Wybierz go i spróbuj ponownie.',
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER: 'Twoja rola nie pozwala dodawać członków do zespołów.',
  YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER: 'Twoja rola nie pozwala usuwać członków z zespołów.',
  YOU_MUST_BE_IN_AN_ORGANIZATION_TO_CREATE_A_ROLE: 'Żadna organizacja nie jest aktywna. Otwórz ją i spróbuj ponownie.',
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE: 'Twoja rola nie pozwala utworzyć tej roli. Rola nie może pozwalać na więcej niż twoja.',
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE: 'Twoja rola nie pozwala zmienić tej roli. Rola nie może pozwalać na więcej niż twoja.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE: 'Twoja rola nie pozwala usuwać ról.',
  YOU_ARE_NOT_ALLOWED_TO_READ_A_ROLE: 'Twoja rola nie pozwala wyświetlać ról.',
  YOU_ARE_NOT_ALLOWED_TO_LIST_A_ROLE: 'Twoja rola nie pozwala wyświetlać ról.',
  TOO_MANY_ROLES: 'Ta organizacja ma już maksymalną liczbę ról. Usuń jedną i spróbuj ponownie.',
  INVALID_RESOURCE: 'Rola wymienia coś, co tu nie istnieje.',
  ROLE_NAME_IS_ALREADY_TAKEN: 'Rola o tej nazwie już istnieje. Wybierz inną nazwę.',
  CANNOT_DELETE_A_PRE_DEFINED_ROLE: 'Ta rola należy do instalacji i nie można jej usunąć.',
  ROLE_IS_ASSIGNED_TO_MEMBERS: 'Członkowie mają tę rolę lub dają ją zaproszenia. Najpierw nadaj im inną rolę.',
  INVALID_SLUG: 'Użyj tylko liter od a do z, cyfr, kropek, podkreśleń, tyld i łączników.',
  INVALID_URL: 'Wpisz adres zaczynający się od https:// lub pozostaw pole puste.',
  INVALID_JSON: 'Wpisz obiekt JSON, np. {"plan":"pro"}.',
}
