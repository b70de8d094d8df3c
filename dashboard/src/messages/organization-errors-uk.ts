import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './organization-errors-en.ts'

const slugIsTaken = 'Це коротке ім’я зайняте іншою організацією. Виберіть інше.'
const notAMember = 'Ви не учасник цієї організації.'
const noneIsActive = 'Немає активної організації. Відкрийте одну з них і повторіть спробу.'

export const messages: Translation<typeof english> = {
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION: 'У вас немає прав створювати тут організації.',
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS:
    'У вас уже максимальна кількість організацій. Покиньте або видаліть одну з них і повторіть спробу.',
  ORGANIZATION_ALREADY_EXISTS: slugIsTaken,
  ORGANIZATION_NOT_FOUND: 'Цієї організації більше немає.',
  USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION: notAMember,
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION: 'Ваша роль не дозволяє змінювати цю організацію.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION: 'Ваша роль не дозволяє видалити цю організацію.',
  NO_ACTIVE_ORGANIZATION: noneIsActive,
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: 'Цей користувач уже учасник організації.',
  MEMBER_NOT_FOUND: 'Цей користувач більше не учасник організації.',
  ROLE_NOT_FOUND: 'Такої ролі немає. Виберіть іншу.',
  TEAM_NOT_FOUND: 'Цієї команди більше немає.',
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER:
    'В організації має залишатися хоча б один власник. Спершу призначте цю роль іншому учаснику.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER: 'Ваша роль не дозволяє вилучати учасників.',
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION: 'Ваша роль не дозволяє робити це в цій організації.',
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: 'Цьому користувачу вже надіслано запрошення.',
  INVITATION_NOT_FOUND: 'Це запрошення більше не дійсне: термін його дії минув, його використано або відкликано.',
  YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION: 'Це запрошення надіслано на іншу електронну адресу.',
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION:
    'Спершу підтвердьте електронну адресу. Після цього запрошення можна прийняти або відхилити.',
  YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION: 'Ваша роль не дозволяє відкликати запрошення.',
  INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION:
    'Учасник, який вас запросив, більше не належить до організації. Попросіть нове запрошення.',
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE:
    'Не можна запрошувати користувачів із цією роллю: вона має більше прав, ніж ваша.',
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS:
    'У цій організації вже максимальна кількість команд. Видаліть одну з них і повторіть спробу.',
  UNABLE_TO_REMOVE_LAST_TEAM: 'В організації має залишатися хоча б одна команда. Спершу створіть іншу.',
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER: 'Ваша роль не дозволяє так змінити цього учасника.',
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: 'У цій організації вже максимальна кількість учасників.',
  YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION: 'Ваша роль не дозволяє створювати команди.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION: 'Ваша роль не дозволяє видаляти команди.',
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM: 'Ваша роль не дозволяє змінювати команди.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM: 'Не можна видалити команду, до якої ви належите. Спершу перейдіть до іншої.',
  INVITATION_LIMIT_REACHED:
    'У цій організації вже максимальна кількість запрошень, що чекають на відповідь. Відкличте одне з них і повторіть спробу.',
  TEAM_MEMBER_LIMIT_REACHED: 'У цій команді вже максимальна кількість учасників.',
  NOT_AUTHENTICATED: 'Ви не ввійшли до облікового запису. Увійдіть і повторіть спробу.',
  ORGANIZATION_ID_IS_REQUIRED: noneIsActive,
  YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION: notAMember,
  SLUG_IS_TAKEN: slugIsTaken,
  SECOND_FACTOR_REQUIRED:
    'Ця організація вимагає другий фактор. Налаштуйте його у своєму обліковому записі, у розділі «Безпека».',
  TWO_FACTOR_POLICIES_ARE_NOT_ENABLED: 'Організації тут не можуть вимагати другий фактор.',
  YOU_NEED_A_SECOND_FACTOR_TO_REQUIRE_ONE:
    'Щоб вимагати другий фактор, він потрібен і вам. Налаштуйте його у своєму обліковому записі, у розділі «Безпека».',
  TEAMS_ARE_NOT_ENABLED: 'Команди тут недоступні.',
  USER_IS_NOT_A_MEMBER_OF_THE_TEAM: 'Цей учасник більше не належить до команди.',
  YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM: 'У вас немає активної команди. Виберіть команду та спробуйте ще раз.',
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER: 'Ваша роль не дозволяє додавати учасників до команд.',
  YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER: 'Ваша роль не дозволяє вилучати учасників із команд.',
  YOU_MUST_BE_IN_AN_ORGANIZATION_TO_CREATE_A_ROLE: 'Немає активної організації. Відкрийте організацію та спробуйте ще раз.',
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE: 'Ваша роль не дозволяє створити цю роль. Роль не може дозволяти більше, ніж ваша.',
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE: 'Ваша роль не дозволяє змінити цю роль. Роль не може дозволяти більше, ніж ваша.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE: 'Ваша роль не дозволяє видаляти ролі.',
  YOU_ARE_NOT_ALLOWED_TO_READ_A_ROLE: 'Ваша роль не дозволяє переглядати ролі.',
  YOU_ARE_NOT_ALLOWED_TO_LIST_A_ROLE: 'Ваша роль не дозволяє переглядати ролі.',
  TOO_MANY_ROLES: 'Ця організація вже має найбільшу кількість ролей. Видаліть одну та спробуйте ще раз.',
  INVALID_RESOURCE: 'Роль називає те, чого тут немає.',
  ROLE_NAME_IS_ALREADY_TAKEN: 'Роль із такою назвою вже є. Виберіть іншу.',
  CANNOT_DELETE_A_PRE_DEFINED_ROLE: 'Ця роль належить до встановлення, і її не можна видалити.',
  ROLE_IS_ASSIGNED_TO_MEMBERS: 'Ця роль є в учасників або в запрошеннях. Спочатку надайте їм іншу.',
  INVALID_SLUG: 'Використовуйте лише латинські літери від a до z, цифри, крапки, підкреслення, тильди й дефіси.',
  INVALID_URL: 'Введіть адресу, що починається з https://, або залиште поле порожнім.',
  INVALID_JSON: 'Введіть об’єкт JSON, наприклад {"plan":"pro"}.',
}
