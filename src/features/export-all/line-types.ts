/** The lines of a complete export: a type for each table, the rows that belong to a user, and what is left out and why. */

interface OfUser {
  /** The member of the line of the user. */
  readonly member: string
  readonly table: string
  /** At most one row: the member is an object and not a list. */
  readonly isOne?: true
}

export interface LineType {
  readonly type: string
  readonly table: string
  readonly description: string
}

/** Rows without which a user could not sign in as before: they are part of the line of their user. */
export const partsOfUser: readonly OfUser[] = [
  { member: 'accounts', table: 'account' },
  { member: 'secondFactor', table: 'twoFactor', isOne: true },
  { member: 'backupCodes', table: 'backupCode' },
  { member: 'secondFactorDue', table: 'twoFactorDue' },
  { member: 'passkeys', table: 'passkey' },
  { member: 'passkeyUser', table: 'passkeyUser', isOne: true },
  { member: 'picture', table: 'userPicture', isOne: true },
  { member: 'moved', table: 'movedUser', isOne: true },
]

/** In the order of the file: rows that others refer to come first. */
export const lineTypes = [
  { type: 'role', table: 'role', description: 'A stored role' },
  { type: 'user', table: 'user', description: 'A user with all sign-in methods' },
  { type: 'termsAcceptance', table: 'termsAcceptance', description: 'A version of a document that a user has accepted' },
  { type: 'organization', table: 'organization', description: 'An organization' },
  { type: 'organizationRole', table: 'organizationRole', description: 'A role that an organization has made for itself' },
  { type: 'team', table: 'team', description: 'A team of an organization' },
  { type: 'member', table: 'member', description: 'A member of an organization' },
  { type: 'teamMember', table: 'teamMember', description: 'A member of a team' },
  { type: 'invitation', table: 'invitation', description: 'An invitation to an organization' },
  { type: 'inviteLink', table: 'inviteLink', description: 'A link with which users sign up' },
  { type: 'waitingListEntry', table: 'waitingListEntry', description: 'An email address on the waiting list' },
  { type: 'apikey', table: 'apikey', description: 'An API key' },
  { type: 'signingKey', table: 'jwks', description: 'A key that signs tokens' },
] as const satisfies readonly LineType[]

export type LineName = (typeof lineTypes)[number]['type']

export const findLineType = (type: string) => lineTypes.find((known) => known.type === type) ?? null

const minutes = 'it lives for minutes'
const counter = 'counters start again'

/** Tables of which nothing is exported. */
export const leftTables: Readonly<Record<string, string>> = {
  session: 'only hashes of the tokens are stored, so no other system could continue a session',
  moveSession: 'it belongs to sessions',
  verification: minutes,
  oneTimeCode: minutes,
  signInChallenge: minutes,
  termsChallenge: minutes,
  usedChallenge: minutes,
  lockLink: 'it lives for days, and belongs to emails of this installation',
  factorReset: 'it lives for days, and belongs to emails of this installation',
  trustedDevice: 'its cookie belongs to browsers of this installation: they ask for a second factor once more',
  knownDevice: 'its cookie belongs to browsers of this installation: the next sign-in sends one more notice',
  termsPostponement: 'it lives for days: the next sign-in asks again',
  auditEvent: 'it is evidence about this installation, sealed by its own chain: latchkey audit list --json exports it',
  auditState: 'it belongs to the audit log',
  erasure: 'it is work in progress on the audit log',
  outbox: 'its emails would be sent twice',
  caughtMail: 'it belongs to development',
  mailCount: counter,
  rateLimit: counter,
  attempt: counter,
  statistic: counter,
  jobRun: 'it is the state of the jobs of this installation',
  nameCheck: 'it is the state of a job of this installation',
  userWord: 'it is derived from the names of users',
  passwordScheme: 'it is derived from the password hashes',
  avatar: 'it is a copy of a picture of another site',
  pictureDeletion: 'it is work in progress on a store of pictures',
  bulkAction: 'it is the result of work on this installation',
  bulkActionTarget: 'it belongs to bulk actions',
  incidentFreeze: 'it is a state of this installation, not of its users',
  incidentRevocation: 'it is the result of work on this installation',
  listExport: 'its files live for days',
  listExportPart: 'it belongs to the exports of lists',
}

const inTotp = 'it is part of totp'
const attempts = 'it counts attempts'
const pending = 'an app that is being set up is set up again'
const inPassword = 'it is part of password'

/** Columns of exported tables that are not, or not under their name. */
export const leftColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  user: {
    accessRevision: 'it counts changes that end what was mailed before',
    sortName: 'it is derived from the name',
    activity: 'statistics start again',
  },
  account: { password: inPassword, mustReplacePassword: inPassword },
  twoFactor: {
    ...{ secret: inTotp, verified: inTotp, algorithm: inTotp, digits: inTotp, period: inTotp },
    ...{ pendingSecret: pending, pendingIssuer: pending, pendingAt: pending },
    ...{ lastUsedStep: attempts, clockDrift: attempts, failures: attempts, blockedUntil: attempts },
  },
  backupCode: { isPending: 'only codes of a verified second factor are exported' },
  passkey: { credentialHash: 'it is derived from credentialID' },
  organization: {
    memberCount: 'it is derived from the members',
    revision: 'it counts changes',
    sortName: 'it is derived from the name',
  },
}
