import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './organization-errors-en.ts'

const slugIsTaken = 'Это короткое имя занято другой организацией. Выберите другое.'
const notAMember = 'Вы не участник этой организации.'
const noneIsActive = 'Нет активной организации. Откройте одну из них и повторите попытку.'

export const messages: Translation<typeof english> = {
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION: 'У вас нет прав создавать здесь организации.',
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS:
    'У вас уже максимальное количество организаций. Покиньте или удалите одну из них и повторите попытку.',
  ORGANIZATION_ALREADY_EXISTS: slugIsTaken,
  ORGANIZATION_NOT_FOUND: 'Этой организации больше нет.',
  USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION: notAMember,
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION: 'Ваша роль не позволяет изменять эту организацию.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION: 'Ваша роль не позволяет удалить эту организацию.',
  NO_ACTIVE_ORGANIZATION: noneIsActive,
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: 'Этот пользователь уже участник организации.',
  MEMBER_NOT_FOUND: 'Этот пользователь больше не участник организации.',
  ROLE_NOT_FOUND: 'Такой роли нет. Выберите другую.',
  TEAM_NOT_FOUND: 'Этой команды больше нет.',
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER:
    'В организации должен оставаться хотя бы один владелец. Сначала назначьте эту роль другому участнику.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER: 'Ваша роль не позволяет удалять участников.',
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION: 'Ваша роль не позволяет делать это в этой организации.',
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: 'Этому пользователю уже отправлено приглашение.',
  INVITATION_NOT_FOUND: 'Это приглашение больше нельзя использовать: оно истекло, использовано или отозвано.',
  YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION: 'Это приглашение отправлено на другой адрес электронной почты.',
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION:
    'Сначала подтвердите адрес электронной почты. После этого приглашение можно принять или отклонить.',
  YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION: 'Ваша роль не позволяет отзывать приглашения.',
  INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION:
    'Участник, который вас пригласил, больше не состоит в организации. Попросите новое приглашение.',
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE:
    'Нельзя приглашать пользователей с этой ролью: у неё больше прав, чем у вашей.',
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS:
    'В этой организации уже максимальное количество команд. Удалите одну из них и повторите попытку.',
  UNABLE_TO_REMOVE_LAST_TEAM: 'В организации должна оставаться хотя бы одна команда. Сначала создайте другую.',
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER: 'Ваша роль не позволяет так изменить этого участника.',
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: 'В этой организации уже максимальное количество участников.',
  YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION: 'Ваша роль не позволяет создавать команды.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION: 'Ваша роль не позволяет удалять команды.',
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM: 'Ваша роль не позволяет изменять команды.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM: 'Нельзя удалить команду, в которой вы состоите. Сначала перейдите в другую.',
  INVITATION_LIMIT_REACHED:
    'В этой организации уже максимальное количество приглашений, ожидающих ответа. Отзовите одно из них и повторите попытку.',
  TEAM_MEMBER_LIMIT_REACHED: 'В этой команде уже максимальное количество участников.',
  NOT_AUTHENTICATED: 'Вы не вошли в аккаунт. Войдите и повторите попытку.',
  ORGANIZATION_ID_IS_REQUIRED: noneIsActive,
  YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION: notAMember,
  SLUG_IS_TAKEN: slugIsTaken,
  SECOND_FACTOR_REQUIRED: 'Эта организация требует второй фактор. Настройте его в своём аккаунте, в разделе «Безопасность».',
  TWO_FACTOR_POLICIES_ARE_NOT_ENABLED: 'Организации здесь не могут требовать второй фактор.',
  YOU_NEED_A_SECOND_FACTOR_TO_REQUIRE_ONE:
    'Чтобы требовать второй фактор, он нужен и вам. Настройте его в своём аккаунте, в разделе «Безопасность».',
  TEAMS_ARE_NOT_ENABLED: 'Команды здесь недоступны.',
  USER_IS_NOT_A_MEMBER_OF_THE_TEAM: 'Этот участник больше не состоит в команде.',
  YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM: 'У вас нет активной команды. Выберите команду и повторите попытку.',
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER: 'Ваша роль не позволяет добавлять участников в команды.',
  YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER: 'Ваша роль не позволяет удалять участников из команд.',
  YOU_MUST_BE_IN_AN_ORGANIZATION_TO_CREATE_A_ROLE: 'Нет активной организации. Откройте организацию и повторите попытку.',
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE: 'Ваша роль не позволяет создать эту роль. Роль не может разрешать больше, чем ваша.',
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE: 'Ваша роль не позволяет изменить эту роль. Роль не может разрешать больше, чем ваша.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE: 'Ваша роль не позволяет удалять роли.',
  YOU_ARE_NOT_ALLOWED_TO_READ_A_ROLE: 'Ваша роль не позволяет просматривать роли.',
  YOU_ARE_NOT_ALLOWED_TO_LIST_A_ROLE: 'Ваша роль не позволяет просматривать роли.',
  TOO_MANY_ROLES: 'В этой организации уже максимальное число ролей. Удалите одну и повторите попытку.',
  INVALID_RESOURCE: 'Роль называет то, чего здесь нет.',
  ROLE_NAME_IS_ALREADY_TAKEN: 'Роль с таким названием уже есть. Выберите другое.',
  CANNOT_DELETE_A_PRE_DEFINED_ROLE: 'Эта роль относится к установке, и её нельзя удалить.',
  ROLE_IS_ASSIGNED_TO_MEMBERS: 'Эта роль есть у участников или в приглашениях. Сначала назначьте им другую.',
  INVALID_SLUG: 'Используйте только латинские буквы от a до z, цифры, точки, подчёркивания, тильды и дефисы.',
  INVALID_URL: 'Введите адрес, который начинается с https://, или оставьте поле пустым.',
  INVALID_JSON: 'Введите объект JSON, например {"plan":"pro"}.',
}
