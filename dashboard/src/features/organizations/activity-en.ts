/** What happened in an organization, and what roles permit. */
export interface Event {
  readonly actor: string
  readonly target: string
  readonly from: string
  readonly to: string
  readonly role: string
  readonly team: string
  readonly name: string
  readonly slug: string
}

export const messages = {
  operator: 'The operator',
  deletedAccount: 'Deleted account',
  otherActivity: ({ actor, action }: { readonly actor: string; readonly action: string }) => `${actor}: ${action}`,
  activityRead: ({ actor }: Event) => `${actor} looked at the activity.`,
  organizationCreated: ({ actor }: Event) => `${actor} created the organization.`,
  organizationUpdated: ({ actor, name, slug }: Event) => {
    if (name && slug) return `${actor} changed the name to ${name} and the slug to ${slug}.`
    if (name) return `${actor} changed the name to ${name}.`
    return slug ? `${actor} changed the slug to ${slug}.` : `${actor} changed the settings.`
  },
  memberAdded: ({ actor, target, role }: Event) => `${actor} added ${target} as ${role}.`,
  memberJoined: ({ target, role }: Event) => `${target} accepted an invitation and joined as ${role}.`,
  memberRoleChanged: ({ actor, target, from, to }: Event) => `${actor} changed the role of ${target} from ${from} to ${to}.`,
  memberWasRemoved: ({ actor, target }: Event) => `${actor} removed ${target}.`,
  memberLeft: ({ target }: Event) => `${target} left the organization.`,
  invitationCreated: ({ actor, target, role }: Event) => `${actor} invited ${target} as ${role}.`,
  invitationResent: ({ actor, target }: Event) => `${actor} sent the invitation of ${target} again.`,
  invitationCanceled: ({ actor, target }: Event) => `${actor} canceled the invitation of ${target}.`,
  invitationRejected: ({ target }: Event) => `${target} declined the invitation.`,
  teamCreated: ({ actor, target }: Event) => `${actor} created the team ${target}.`,
  teamUpdated: ({ actor, target, from }: Event) =>
    from ? `${actor} renamed the team ${from} to ${target}.` : `${actor} changed the team ${target}.`,
  teamWasRemoved: ({ actor, target }: Event) => `${actor} removed the team ${target}.`,
  teamMemberAdded: ({ actor, target, team }: Event) => `${actor} added ${target} to the team ${team}.`,
  teamMemberRemoved: ({ actor, target, team }: Event) => `${actor} removed ${target} from the team ${team}.`,
  ownRoleCreated: ({ actor, role }: Event) => `${actor} made the role ${role}.`,
  ownRoleChanged: ({ actor, role }: Event) => `${actor} changed the role ${role}.`,
  ownRoleDeleted: ({ actor, role }: Event) => `${actor} deleted the role ${role}.`,
  keyCreated: ({ actor, name }: Event) => `${actor} created the API key ${name}.`,
  keyChanged: ({ actor }: Event) => `${actor} changed an API key.`,
  keyRevoked: ({ actor, name }: Event) => `${actor} revoked the API key ${name}.`,
  keyExpired: ({ name }: Event) => `The API key ${name} has expired or is used up.`,
  activityLead: ({ name }: { readonly name: string }) => `Who changed what in ${name}, newest first.`,
  anyActivity: 'All activity',
  filterRoleChanges: 'Role changes',
  filterJoined: 'Members who joined',
  filterRemoved: 'Removed members',
  filterLeft: 'Members who left',
  filterInvited: 'Sent invitations',
  filterSettings: 'Changed settings',
  noActivity: 'No activity',
  noActivityText: 'Changes to members, invitations, teams and settings appear here.',
  noActivityFoundText: 'Nothing matches this filter.',
  owner: 'Owner',
  admin: 'Admin',
  rolesLead: 'A role decides what a member may do in this organization. Roles are set up by the operator of this site.',
  permission: 'Permission',
  permissions: 'Permissions',
  permissionsText: 'A member with several roles may do what one of them permits.',
  alwaysKept: 'At least one member keeps it',
  showMembersOf: ({ role }: { readonly role: string }) => `Show members: ${role}`,
  allowed: 'Allowed',
  notAllowed: 'Not allowed',
  mayUpdateOrganization: 'Change the settings and see the activity',
  mayDeleteOrganization: 'Delete the organization',
  mayCreateMember: 'Add members',
  mayUpdateMember: 'Change roles of members',
  mayDeleteMember: 'Remove members',
  mayCreateInvitation: 'Send invitations',
  mayCancelInvitation: 'Cancel invitations',
  mayCreateTeam: 'Create teams',
  mayUpdateTeam: 'Rename teams and change their members',
  mayDeleteTeam: 'Remove teams',
  mayCreateRole: 'Create roles of the organization',
  mayReadRole: 'See the roles of the organization',
  mayUpdateRole: 'Change roles of the organization',
  mayDeleteRole: 'Delete roles of the organization',
  mayCreateKey: 'Create API keys',
  mayReadKey: 'See API keys',
  mayUpdateKey: 'Change API keys',
  mayDeleteKey: 'Revoke API keys',
  more: ({ count }: { readonly count: string }) => `${count} more`,
  permitsNothing: 'See the organization, its members and its teams.',
  permitsEverything: 'May do everything.',
  gains: 'May do in addition',
  loses: 'May no longer do',
  noPermissionChanges: 'What this member may do stays the same.',
  chooseSeveral: 'Choose several roles',
  mayNotGrant: 'It permits more than your role, so you cannot give it to others.',
} as const
