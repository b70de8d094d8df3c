/** Texts of the roles that an organization makes itself. */
export interface Role {
  readonly role: string
}

export const messages = {
  lead: 'A role decides what a member may do in this organization. You can add roles to those of this site.',
  createRole: 'Create role',
  edit: 'Edit',
  editRole: ({ role }: Role) => `Edit the role ${role}`,
  delete: 'Delete',
  deleteQuestion: ({ role }: Role) => `Delete the role ${role}?`,
  deleteText: 'No member has it any more, and no invitation gives it. This cannot be undone.',
  nameHint: 'Up to 64 characters. It is stored in lower case.',
  permits: 'What members with this role may do',
  created: ({ role }: Role) => `The role ${role} was created.`,
  changed: ({ role }: Role) => `The role ${role} was changed. Members who have it can do what it permits now.`,
  deleted: ({ role }: Role) => `The role ${role} was deleted.`,
  saveRole: 'Save role',
  ofOrganization: 'Of this organization',
} as const
