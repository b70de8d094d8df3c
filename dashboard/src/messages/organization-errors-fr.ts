import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './organization-errors-en.ts'

export const messages: Translation<typeof english> = {
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION: 'Vous n’avez pas l’autorisation de créer des organisations ici.',
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS:
    'Vous avez atteint le nombre maximal d’organisations. Quittez-en ou supprimez-en une, puis réessayez.',
  ORGANIZATION_ALREADY_EXISTS: 'Une autre organisation a ce nom court. Choisissez-en un autre.',
  ORGANIZATION_NOT_FOUND: 'Cette organisation n’existe plus.',
  USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION: 'Vous n’êtes pas membre de cette organisation.',
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION: 'Votre rôle ne vous permet pas de modifier cette organisation.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION: 'Votre rôle ne vous permet pas de supprimer cette organisation.',
  NO_ACTIVE_ORGANIZATION: 'Aucune organisation n’est active. Ouvrez-en une, puis réessayez.',
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: 'Cet utilisateur est déjà membre.',
  MEMBER_NOT_FOUND: 'Cet utilisateur n’est plus membre.',
  ROLE_NOT_FOUND: 'Ce rôle n’existe pas. Choisissez-en un autre.',
  TEAM_NOT_FOUND: 'Cette équipe n’existe plus.',
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER:
    'Toute organisation garde au moins un propriétaire. Donnez d’abord ce rôle à un autre membre.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER: 'Votre rôle ne vous permet pas de retirer des membres.',
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION:
    'Votre rôle ne vous permet pas de faire cela dans cette organisation.',
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: 'Cet utilisateur a déjà une invitation.',
  INVITATION_NOT_FOUND: 'Cette invitation n’est plus valable\u202f: elle a expiré, ou a été utilisée ou annulée.',
  YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION: 'Cette invitation est destinée à une autre adresse e-mail.',
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION:
    'Vérifiez d’abord votre adresse e-mail. Vous pourrez ensuite accepter ou refuser l’invitation.',
  YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION: 'Votre rôle ne vous permet pas d’annuler des invitations.',
  INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION:
    'Le membre qui vous a envoyé l’invitation a quitté l’organisation. Demandez une autre invitation.',
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE:
    'Vous ne pouvez pas inviter d’utilisateurs avec ce rôle\u202f: il autorise plus que le vôtre.',
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS:
    'Cette organisation a atteint le nombre maximal d’équipes. Supprimez-en une, puis réessayez.',
  UNABLE_TO_REMOVE_LAST_TEAM: 'Toute organisation garde au moins une équipe. Créez-en d’abord une autre.',
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER: 'Votre rôle ne vous permet pas de modifier ainsi ce membre.',
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: 'Cette organisation a atteint le nombre maximal de membres.',
  YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION: 'Votre rôle ne vous permet pas de créer des équipes.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION: 'Votre rôle ne vous permet pas de supprimer des équipes.',
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM: 'Votre rôle ne vous permet pas de modifier des équipes.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM:
    'Vous ne pouvez pas supprimer l’équipe dont vous faites partie. Rejoignez d’abord une autre équipe.',
  INVITATION_LIMIT_REACHED:
    'Cette organisation a atteint le nombre maximal d’invitations en attente. Annulez-en une, puis réessayez.',
  TEAM_MEMBER_LIMIT_REACHED: 'Cette équipe a atteint le nombre maximal de membres.',
  NOT_AUTHENTICATED: 'Aucune session n’est ouverte. Connectez-vous, puis réessayez.',
  ORGANIZATION_ID_IS_REQUIRED: 'Aucune organisation n’est active. Ouvrez-en une, puis réessayez.',
  YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION: 'Vous n’êtes pas membre de cette organisation.',
  SLUG_IS_TAKEN: 'Une autre organisation a ce nom court. Choisissez-en un autre.',
  SECOND_FACTOR_REQUIRED:
    'Cette organisation exige un second facteur. Configurez-en un dans votre compte, sous «\u202fSécurité\u202f».',
  TWO_FACTOR_POLICIES_ARE_NOT_ENABLED: 'Les organisations ne peuvent pas exiger de second facteur ici.',
  YOU_NEED_A_SECOND_FACTOR_TO_REQUIRE_ONE:
    'Pour exiger un second facteur, il vous en faut un. Configurez-le dans votre compte, sous «\u202fSécurité\u202f».',
  TEAMS_ARE_NOT_ENABLED: 'Les équipes ne sont pas disponibles ici.',
  USER_IS_NOT_A_MEMBER_OF_THE_TEAM: 'Ce membre ne fait plus partie de l’équipe.',
  YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM: 'Vous n’avez aucune équipe active. Choisissez-en une, puis réessayez.',
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER: 'Votre rôle ne vous permet pas d’ajouter des membres aux équipes.',
  YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER: 'Votre rôle ne vous permet pas de retirer des membres des équipes.',
  YOU_MUST_BE_IN_AN_ORGANIZATION_TO_CREATE_A_ROLE: 'Aucune organisation n’est active. Ouvrez-en une, puis réessayez.',
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE:
    'Votre rôle ne vous permet pas de créer ce rôle. Un rôle ne peut pas permettre plus que le vôtre.',
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE:
    'Votre rôle ne vous permet pas de modifier ce rôle. Un rôle ne peut pas permettre plus que le vôtre.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE: 'Votre rôle ne vous permet pas de supprimer des rôles.',
  YOU_ARE_NOT_ALLOWED_TO_READ_A_ROLE: 'Votre rôle ne vous permet pas de voir les rôles.',
  YOU_ARE_NOT_ALLOWED_TO_LIST_A_ROLE: 'Votre rôle ne vous permet pas de voir les rôles.',
  TOO_MANY_ROLES: 'Cette organisation a déjà le nombre maximal de rôles. Supprimez-en un, puis réessayez.',
  INVALID_RESOURCE: 'Le rôle nomme quelque chose qui n’existe pas ici.',
  ROLE_NAME_IS_ALREADY_TAKEN: 'Un rôle porte déjà ce nom. Choisissez-en un autre.',
  CANNOT_DELETE_A_PRE_DEFINED_ROLE: 'Ce rôle fait partie de l’installation et ne peut pas être supprimé.',
  ROLE_IS_ASSIGNED_TO_MEMBERS: 'Des membres ont ce rôle, ou des invitations l’attribuent. Donnez-leur d’abord un autre rôle.',
  INVALID_SLUG:
    'Utilisez uniquement les lettres de a à z, des chiffres, des points, des traits de soulignement, des tildes et des traits d’union.',
  INVALID_URL: 'Saisissez une adresse qui commence par https://, ou laissez le champ vide.',
  INVALID_JSON: 'Saisissez un objet JSON, par exemple {"plan":"pro"}.',
}
