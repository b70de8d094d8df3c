/** What a report of a move says about users: why some are left out, and what differs for the others. */

/** `error`: the export has a fault; `left-out`: the user is not moved; `note`: the user is moved. */
type Kind = 'error' | 'left-out' | 'note'

const reason = (kind: Kind, title: string) => ({ kind, title })

export const reasons = {
  'broken-row': reason('error', 'The row has another number of fields than the first one'),
  'not-an-object': reason('error', 'Not a user: expected an object'),
  'invalid-address': reason('error', 'The email address is not valid'),
  'same-address': reason(
    'left-out',
    'Another user has the same email address in lower case and NFC; --merge verified joins some',
  ),
  'same-id': reason('left-out', 'Another user has the same ID'),
  'no-address': reason('left-out', 'No email address, and no phone number or username that this configuration can sign in with'),
  'id-too-long': reason('left-out', 'The ID does not fit 36 printable ASCII characters; --new-ids gives a new one'),
  deleted: reason('left-out', 'Deleted in the other system'),
  'service-account': reason('left-out', 'A service account: create an API key in its place'),
  'anonymous-off': reason('left-out', 'Anonymous: needs anonymous in the configuration'),
  'ban-off': reason('left-out', 'Disabled in the other system: needs admin in the configuration, or the user could sign in'),
  merged: reason('note', 'Joined with the user who has the same verified address'),
  'placeholder-address': reason('note', 'No email address: a placeholder, and sign-in by phone number or username'),
  'other-address': reason('note', 'Another address of the user is not moved'),
  unverified: reason('note', 'The email address is not verified'),
  anonymous: reason('note', 'Anonymous: moved without an address'),
  banned: reason('note', 'Disabled in the other system: banned'),
  'no-time': reason('note', 'A time that cannot be read: the time of the move is taken'),
  'future-time': reason('note', 'A time later than now: check --source-time-zone'),
  'unusable-hash': reason('note', 'The password hash is cut or of an unknown form: moved without a password'),
  'no-password': reason('note', 'No password hash in the export: moved without a password'),
  'url-safe-hash': reason('note', 'The hash is in base64 for URLs, which is read too'),
  'weak-hash': reason('note', 'A weak hash: hashed again with argon2id (--weak wrap)'),
  'dropped-hash': reason('note', 'A weak hash: moved without a password (--weak drop)'),
  'plain-password': reason('note', 'A password in plain text: hashed with argon2id'),
  'few-rounds': reason('note', 'The hash has few rounds: it is replaced at the next sign-in'),
  'signer-key': reason('note', 'The signer key of Firebase moves to passwordHash.firebase'),
  'missing-secret': reason('error', 'The hash needs a secret that is not configured'),
  'must-replace': reason('note', 'The password must be replaced at the next sign-in'),
  metadata: reason('note', 'Metadata that no --field takes is dropped'),
  role: reason('note', 'A role or group that no --role takes is dropped'),
  'factor-moved': reason('note', 'The secret of the authenticator app is moved'),
  'factor-off': reason('note', 'The second factor is not moved: needs twoFactor in the configuration'),
  'factor-missing': reason('note', 'The second factor is not in the export: the user sets one up again'),
  provider: reason('note', 'A provider that is not known here: its name is kept'),
  'apple-team': reason('note', 'The subject of Apple depends on the team: it changes with another team'),
  federated: reason('note', 'Signs in through LDAP or single sign-on: moved without a password'),
  'email-identity': reason('note', 'The identity of the email address itself is skipped'),
  'username-dropped': reason('note', 'The username is not valid here, or another user has it: dropped'),
  'phone-dropped': reason('note', 'The phone number is not valid here, or another user has it: dropped'),
  'phone-off': reason('note', 'The phone number is not moved: needs phoneNumber in the configuration'),
  'name-dropped': reason('note', 'The name has a null byte or half of a character: dropped'),
  'picture-dropped': reason('note', 'The picture is not a URL: dropped'),
  'orphan-hash': reason('note', 'A hash without a user'),
  'orphan-row': reason('note', 'A row that belongs to no user of the export'),
} satisfies Readonly<Record<string, { readonly kind: Kind; readonly title: string }>>

export type Reason = keyof typeof reasons
