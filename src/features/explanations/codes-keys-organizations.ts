/** Codes of organizations and API keys. */
import type { Entries } from './entry.ts'

const memberRole = 'Their role in the organization does not permit it.'
const giveRole = 'An owner gives them another role.'
const missing = 'It was deleted in the meantime, or the ID is wrong. Reload the list, and try again.'
const notMember = 'The user is not a member of the organization.'
const input = 'Correct the request: see the API reference at /api/auth/reference.'
const newKey = 'Create a new key.'

// biome-ignore format: one line for each code
export const organizationCodes: Entries = {
  BANNED_USER: ['The user is banned.', 'An administrator lifts the ban: `latchkey users unban`.', 'admin.bannedUserMessage', 'admin.defaultBanExpiresIn'],
  NOT_AUTHENTICATED: ['The request had no session.', 'The user signs in.'],
  NO_ACTIVE_ORGANIZATION: ['The session has no active organization, and the request names none.', 'Send `organizationId`, or set the active organization.'],
  ORGANIZATION_ID_IS_REQUIRED: ['The request names no organization.', 'Send `organizationId`.'],
  ORGANIZATION_NOT_FOUND: ['There is no such organization.', missing],
  ORGANIZATION_ALREADY_EXISTS: ['There is an organization with this slug.', 'Choose another slug.'],
  SLUG_IS_TAKEN: ['There is an organization with this slug.', 'Choose another slug.'],
  ROLE_NOT_FOUND: ['There is no such role in organizations.', 'Add it to `organization.roles`, or choose another one.', 'organization.roles', 'organization.checkRoles'],
  MEMBER_NOT_FOUND: ['There is no such member.', missing],
  TEAM_NOT_FOUND: ['There is no such team.', missing],
  TEAMS_ARE_NOT_ENABLED: ['Teams are off.', 'Set `organization: { teams: { enabled: true } }`.', 'organization.teams.enabled'],
  TWO_FACTOR_POLICIES_ARE_NOT_ENABLED: ['Organizations cannot demand second factors here.', 'Set `twoFactor: true`.', 'twoFactor.enabled'],
  UNABLE_TO_REMOVE_LAST_TEAM: ['An organization keeps its last team.', 'Set `organization.teams.allowRemovingAllTeams: true`.', 'organization.teams.allowRemovingAllTeams'],
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: ['The user is a member already.', 'Nothing to do.'],
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: ['There is an open invitation for this address.', 'Send it again, or cancel it first.', 'organization.cancelPendingInvitationsOnReInvite'],
  USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION: [notMember, 'Invite them.'],
  USER_IS_NOT_A_MEMBER_OF_THE_TEAM: ['The user is not a member of the team.', 'Add them to the team.'],
  YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION: [notMember, 'Invite them.'],
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: ['The organization would have no owner.', 'Give another member the role first.', 'organization.creatorRole'],
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS: ['The organization has as many teams as allowed.', 'Remove one, or raise the limit.', 'organization.teams.maximumTeams'],
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS: ['The user has as many organizations as allowed.', 'Raise the limit.', 'organization.organizationLimit'],
  YOU_NEED_A_SECOND_FACTOR_TO_REQUIRE_ONE: ['A user without a second factor wants to demand one of members.', 'They set one up first.'],
  SECOND_FACTOR_REQUIRED: ['The organization demands a second factor of its members.', 'The user sets one up.', 'twoFactor.required'],
  INVITATION_NOT_FOUND: ['The invitation was accepted, canceled or has expired.', 'Send a new one.', 'organization.invitationExpiresIn'],
  INVITATION_LIMIT_REACHED: ['There are as many open invitations as allowed.', 'Cancel some, or raise the limit.', 'organization.invitationLimit'],
  INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION: ['The member who sent the invitation has left.', 'Another member sends a new one.'],
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION: ['The invited user has not verified their email address.', 'They verify it first.', 'organization.requireEmailVerificationOnInvitation'],
  YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION: ['The invitation is for another email address.', 'The user signs in with the invited address.'],
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: ['The organization has as many members as allowed.', 'Raise the limit.', 'organization.membershipLimit'],
  TEAM_MEMBER_LIMIT_REACHED: ['The team has as many members as allowed.', 'Raise the limit.', 'organization.teams.maximumMembersPerTeam'],
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION: ['The user may not create organizations.', 'See `organization.allowUserToCreateOrganization`.', 'organization.allowUserToCreateOrganization', 'organization.organizationCreation.disabled'],
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION: [memberRole, giveRole, 'organization.roles', 'organization.organizationDeletion.disabled'],
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION: [memberRole, giveRole, 'organization.roles'],
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER: [memberRole, giveRole, 'organization.roles'],
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER: [memberRole, giveRole, 'organization.roles'],
  YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION: [memberRole, giveRole, 'organization.roles'],
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION: [memberRole, giveRole, 'organization.roles'],
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE: ['Only members with the creator role invite others with it.', giveRole, 'organization.creatorRole'],
  YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION: [memberRole, giveRole, 'organization.roles'],
  YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION: [memberRole, giveRole, 'organization.roles'],
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM: [memberRole, giveRole, 'organization.roles'],
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM: [memberRole, giveRole, 'organization.roles'],

  // API keys.
  INVALID_API_KEY: ['The API key is not known: mistyped, deleted, or made for another installation.', newKey, 'apiKey.apiKeyHeaders', 'apiKey.customAPIKeyValidator'],
  KEY_NOT_FOUND: ['The API key does not exist any more.', newKey],
  API_KEY_NOT_FOUND: ['The API key does not exist, or belongs to another user.', missing],
  KEY_DISABLED: ['The API key is disabled.', 'Its owner enables it.'],
  KEY_EXPIRED: ['The API key has expired.', newKey, 'apiKey.keyExpiration.defaultExpiresIn'],
  USAGE_EXCEEDED: ['The API key has no uses left.', 'Raise `remaining` of the key, or set a refill.'],
  RATE_LIMITED: ['The API key has reached its own rate limit.', 'Wait, or raise the limit of the key.', 'apiKey.rateLimit.maxRequests', 'apiKey.rateLimit.timeWindow'],
  USER_IS_BANNED: ['The owner of the API key is banned.', 'An administrator lifts the ban: `latchkey users unban`.'],
  UNAUTHORIZED_OR_INVALID_SESSION: ['The request had no session.', 'The user signs in.'],
  TOO_MANY_API_KEYS: ['The user has as many API keys as allowed.', 'They delete one, or raise the limit.', 'apiKey.maximumKeysPerUser'],
  METADATA_IS_DISABLED: ['API keys have no metadata here.', 'Set `apiKey.enableMetadata: true`.', 'apiKey.enableMetadata'],
  METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED: ['`metadata` is not an object.', input],
  NO_VALUES_TO_UPDATE: ['The request changes nothing.', input],
  REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED: ['`refillAmount` is missing.', input],
  REFILLINTERVAL_IS_REQUIRED_WHEN_REFILLAMOUNT_IS_PROVIDED: ['`refillInterval` is missing.', input],
  CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED: ['Users do not choose the life of a key.', 'Leave `expiresIn` out.', 'apiKey.keyExpiration.disableCustomExpiresTime'],
  THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE: ['The life of the key is too long.', 'Choose a shorter one.', 'apiKey.keyExpiration.maxExpiresIn'],
  THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE: ['The life of the key is too short.', 'Choose a longer one.', 'apiKey.keyExpiration.minExpiresIn'],
  THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: ['The name of the key is too long or too short.', 'Choose another name.', 'apiKey.minimumNameLength', 'apiKey.maximumNameLength'],
  THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: ['The prefix of the key is too long or too short.', 'Choose another prefix.', 'apiKey.minimumPrefixLength', 'apiKey.maximumPrefixLength'],
  THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY: ['A client set a property that only servers set, such as `permissions` or `remaining`.', 'Make the call at the private listener.', 'server.private.api.port'],
  API_KEY_GETTER_RETURNED_AN_INVALID_KEY_TYPE_EXPECTED_STRING: ['The function `apiKey.customAPIKeyGetter` returned no text.', 'Check the function.', 'apiKey.customAPIKeyGetter'],
}
