import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './organization-errors-en.ts'

export const messages: Translation<typeof english> = {
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION: [
    'Sie dürfen hier keine Organisationen erstellen.',
    'Du darfst hier keine Organisationen erstellen.',
  ],
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS: [
    'Sie haben bereits die Höchstzahl an Organisationen. Verlassen oder löschen Sie eine und versuchen Sie es erneut.',
    'Du hast bereits die Höchstzahl an Organisationen. Verlasse oder lösche eine und versuche es erneut.',
  ],
  ORGANIZATION_ALREADY_EXISTS: [
    'Eine andere Organisation hat dieses Kürzel. Wählen Sie ein anderes.',
    'Eine andere Organisation hat dieses Kürzel. Wähle ein anderes.',
  ],
  ORGANIZATION_NOT_FOUND: 'Diese Organisation gibt es nicht mehr.',
  USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION: [
    'Sie sind kein Mitglied dieser Organisation.',
    'Du bist kein Mitglied dieser Organisation.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION: [
    'Mit Ihrer Rolle dürfen Sie diese Organisation nicht ändern.',
    'Mit deiner Rolle darfst du diese Organisation nicht ändern.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION: [
    'Mit Ihrer Rolle dürfen Sie diese Organisation nicht löschen.',
    'Mit deiner Rolle darfst du diese Organisation nicht löschen.',
  ],
  NO_ACTIVE_ORGANIZATION: [
    'Es ist keine Organisation aktiv. Öffnen Sie eine und versuchen Sie es erneut.',
    'Es ist keine Organisation aktiv. Öffne eine und versuche es erneut.',
  ],
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: 'Diese Person ist bereits Mitglied.',
  MEMBER_NOT_FOUND: 'Diese Person ist kein Mitglied mehr.',
  ROLE_NOT_FOUND: ['Diese Rolle gibt es nicht. Wählen Sie eine andere.', 'Diese Rolle gibt es nicht. Wähle eine andere.'],
  TEAM_NOT_FOUND: 'Dieses Team gibt es nicht mehr.',
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: [
    'Jede Organisation behält mindestens eine Person als Eigentümer. Geben Sie zuerst einem anderen Mitglied diese Rolle.',
    'Jede Organisation behält mindestens eine Person als Eigentümer. Gib zuerst einem anderen Mitglied diese Rolle.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER: [
    'Mit Ihrer Rolle dürfen Sie keine Mitglieder entfernen.',
    'Mit deiner Rolle darfst du keine Mitglieder entfernen.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION: [
    'Mit Ihrer Rolle dürfen Sie das in dieser Organisation nicht.',
    'Mit deiner Rolle darfst du das in dieser Organisation nicht.',
  ],
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: 'Diese Person hat bereits eine Einladung.',
  INVITATION_NOT_FOUND:
    'Diese Einladung kann nicht mehr verwendet werden: Sie ist abgelaufen oder wurde schon verwendet oder zurückgezogen.',
  YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION: 'Diese Einladung gilt für eine andere E-Mail-Adresse.',
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION: [
    'Bestätigen Sie zuerst Ihre E-Mail-Adresse. Danach können Sie die Einladung annehmen oder ablehnen.',
    'Bestätige zuerst deine E-Mail-Adresse. Danach kannst du die Einladung annehmen oder ablehnen.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION: [
    'Mit Ihrer Rolle dürfen Sie keine Einladungen zurückziehen.',
    'Mit deiner Rolle darfst du keine Einladungen zurückziehen.',
  ],
  INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION: [
    'Das Mitglied, das Sie eingeladen hat, hat die Organisation verlassen. Bitten Sie um eine neue Einladung.',
    'Das Mitglied, das dich eingeladen hat, hat die Organisation verlassen. Bitte um eine neue Einladung.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE: [
    'Mit dieser Rolle können Sie niemanden einladen: Sie erlaubt mehr als Ihre eigene.',
    'Mit dieser Rolle kannst du niemanden einladen: Sie erlaubt mehr als deine eigene.',
  ],
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS: [
    'Diese Organisation hat bereits die Höchstzahl an Teams. Entfernen Sie eines und versuchen Sie es erneut.',
    'Diese Organisation hat bereits die Höchstzahl an Teams. Entferne eines und versuche es erneut.',
  ],
  UNABLE_TO_REMOVE_LAST_TEAM: [
    'Jede Organisation behält mindestens ein Team. Erstellen Sie zuerst ein weiteres.',
    'Jede Organisation behält mindestens ein Team. Erstelle zuerst ein weiteres.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER: [
    'Mit Ihrer Rolle dürfen Sie dieses Mitglied nicht so ändern.',
    'Mit deiner Rolle darfst du dieses Mitglied nicht so ändern.',
  ],
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: 'Diese Organisation hat bereits die Höchstzahl an Mitgliedern.',
  YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION: [
    'Mit Ihrer Rolle dürfen Sie keine Teams erstellen.',
    'Mit deiner Rolle darfst du keine Teams erstellen.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION: [
    'Mit Ihrer Rolle dürfen Sie keine Teams entfernen.',
    'Mit deiner Rolle darfst du keine Teams entfernen.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM: [
    'Mit Ihrer Rolle dürfen Sie keine Teams ändern.',
    'Mit deiner Rolle darfst du keine Teams ändern.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM: [
    'Das Team, in dem Sie selbst sind, können Sie nicht entfernen. Wechseln Sie zuerst in ein anderes Team.',
    'Das Team, in dem du selbst bist, kannst du nicht entfernen. Wechsle zuerst in ein anderes Team.',
  ],
  INVITATION_LIMIT_REACHED: [
    'Diese Organisation hat bereits die Höchstzahl an offenen Einladungen. Ziehen Sie eine zurück und versuchen Sie es erneut.',
    'Diese Organisation hat bereits die Höchstzahl an offenen Einladungen. Zieh eine zurück und versuche es erneut.',
  ],
  TEAM_MEMBER_LIMIT_REACHED: 'Dieses Team hat bereits die Höchstzahl an Mitgliedern.',
  NOT_AUTHENTICATED: [
    'Sie sind nicht angemeldet. Melden Sie sich an und versuchen Sie es erneut.',
    'Du bist nicht angemeldet. Melde dich an und versuche es erneut.',
  ],
  ORGANIZATION_ID_IS_REQUIRED: [
    'Es ist keine Organisation aktiv. Öffnen Sie eine und versuchen Sie es erneut.',
    'Es ist keine Organisation aktiv. Öffne eine und versuche es erneut.',
  ],
  YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION: [
    'Sie sind kein Mitglied dieser Organisation.',
    'Du bist kein Mitglied dieser Organisation.',
  ],
  SLUG_IS_TAKEN: [
    'Eine andere Organisation hat dieses Kürzel. Wählen Sie ein anderes.',
    'Eine andere Organisation hat dieses Kürzel. Wähle ein anderes.',
  ],
  SECOND_FACTOR_REQUIRED: 'Diese Organisation verlangt einen zweiten Faktor. Er wird im Konto unter Sicherheit eingerichtet.',
  TWO_FACTOR_POLICIES_ARE_NOT_ENABLED: 'Organisationen können hier keinen zweiten Faktor verlangen.',
  YOU_NEED_A_SECOND_FACTOR_TO_REQUIRE_ONE:
    'Das geht nur mit einem eigenen zweiten Faktor. Er wird im Konto unter Sicherheit eingerichtet.',
  TEAMS_ARE_NOT_ENABLED: 'Teams sind hier nicht verfügbar.',
  USER_IS_NOT_A_MEMBER_OF_THE_TEAM: 'Dieses Mitglied ist nicht mehr in dem Team.',
  YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM: [
    'Es ist kein Team aktiv. Wählen Sie eines und versuchen Sie es erneut.',
    'Es ist kein Team aktiv. Wähle eines und versuche es erneut.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER: [
    'Ihre Rolle erlaubt es nicht, Mitglieder zu Teams hinzuzufügen.',
    'Deine Rolle erlaubt es nicht, Mitglieder zu Teams hinzuzufügen.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER: [
    'Ihre Rolle erlaubt es nicht, Mitglieder aus Teams zu entfernen.',
    'Deine Rolle erlaubt es nicht, Mitglieder aus Teams zu entfernen.',
  ],
  YOU_MUST_BE_IN_AN_ORGANIZATION_TO_CREATE_A_ROLE: [
    'Es ist keine Organisation aktiv. Öffnen Sie eine und versuchen Sie es erneut.',
    'Es ist keine Organisation aktiv. Öffne eine und versuche es erneut.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE: [
    'Ihre Rolle erlaubt es nicht, diese Rolle zu erstellen. Eine Rolle kann nicht mehr erlauben als Ihre eigene.',
    'Deine Rolle erlaubt es nicht, diese Rolle zu erstellen. Eine Rolle kann nicht mehr erlauben als deine eigene.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE: [
    'Ihre Rolle erlaubt es nicht, diese Rolle zu ändern. Eine Rolle kann nicht mehr erlauben als Ihre eigene.',
    'Deine Rolle erlaubt es nicht, diese Rolle zu ändern. Eine Rolle kann nicht mehr erlauben als deine eigene.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE: [
    'Ihre Rolle erlaubt es nicht, Rollen zu löschen.',
    'Deine Rolle erlaubt es nicht, Rollen zu löschen.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_READ_A_ROLE: [
    'Ihre Rolle erlaubt es nicht, die Rollen zu sehen.',
    'Deine Rolle erlaubt es nicht, die Rollen zu sehen.',
  ],
  YOU_ARE_NOT_ALLOWED_TO_LIST_A_ROLE: [
    'Ihre Rolle erlaubt es nicht, die Rollen zu sehen.',
    'Deine Rolle erlaubt es nicht, die Rollen zu sehen.',
  ],
  TOO_MANY_ROLES: [
    'Diese Organisation hat bereits die Höchstzahl an Rollen. Löschen Sie eine und versuchen Sie es erneut.',
    'Diese Organisation hat bereits die Höchstzahl an Rollen. Lösche eine und versuche es erneut.',
  ],
  INVALID_RESOURCE: 'Die Rolle nennt etwas, das es hier nicht gibt.',
  ROLE_NAME_IS_ALREADY_TAKEN: [
    'Es gibt bereits eine Rolle mit diesem Namen. Wählen Sie einen anderen.',
    'Es gibt bereits eine Rolle mit diesem Namen. Wähle einen anderen.',
  ],
  CANNOT_DELETE_A_PRE_DEFINED_ROLE: 'Diese Rolle gehört zur Installation und kann nicht gelöscht werden.',
  ROLE_IS_ASSIGNED_TO_MEMBERS: [
    'Mitglieder haben diese Rolle, oder Einladungen vergeben sie. Geben Sie ihnen zuerst eine andere.',
    'Mitglieder haben diese Rolle, oder Einladungen vergeben sie. Gib ihnen zuerst eine andere.',
  ],
  INVALID_SLUG: [
    'Verwenden Sie nur Buchstaben von a bis z, Ziffern, Punkte, Unterstriche, Tilden und Bindestriche.',
    'Verwende nur Buchstaben von a bis z, Ziffern, Punkte, Unterstriche, Tilden und Bindestriche.',
  ],
  INVALID_URL: [
    'Geben Sie eine Adresse ein, die mit https:// beginnt, oder lassen Sie das Feld leer.',
    'Gib eine Adresse ein, die mit https:// beginnt, oder lass das Feld leer.',
  ],
  INVALID_JSON: [
    'Geben Sie ein JSON-Objekt ein, zum Beispiel {"plan":"pro"}.',
    'Gib ein JSON-Objekt ein, zum Beispiel {"plan":"pro"}.',
  ],
}
