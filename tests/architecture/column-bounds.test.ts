/**
 * What calls accept fits into the columns that it is stored in, also encrypted and as JSON: computed from the schemas of the calls. A
 * new text column, or a new kind of email, needs an entry here.
 */
import { maxHeaderSize } from 'node:http'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { enabledFeatures, type Feature } from '../../src/core/feature.ts'
import { mostPictureBytes } from '../../src/core/ports.ts'
import { callbackURL, longText } from '../../src/core/schemas.ts'
import { fitsColumn, id, maxTextBytes, mergeTables, string } from '../../src/core/table.ts'
import { fieldSchema } from '../../src/features/custom-fields/index.ts'
import { featureList } from '../../src/features/index.ts'
import { newSlug } from '../../src/features/organizations/schemas.ts'
import { longestMember, longestName, longestRecord } from '../../src/features/outbox/mail-payload.ts'
import { resettable } from '../../src/features/second-factor/pending-resets.ts'
import { maxIdLength } from '../../src/features/social-sign-in/reading.ts'
import { columnLength } from '../../src/features/username/rules.ts'
import { ownedShape, sortNameOf, wordsOf } from '../../src/features/users/index.ts'
import { createKeyring } from '../../src/lib/keyring.ts'
import { parseConfig } from '../../src/project/config/parse-config.ts'
import { everything } from '../kit/everything.ts'

const parsed = parseConfig(featureList, {
  ...everything,
  secret: '0123456789 abcdefghijklmnopqrstuvwxyz',
  environment: 'development',
  baseURL: 'http://localhost:3000',
  database: { url: 'sqlite::memory:' },
  rateLimit: { storage: 'database' },
  user: { additionalFields: { userText: { type: 'string' } } },
  session: { additionalFields: { sessionText: { type: 'string' } } },
})
if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
const { config } = parsed
const features: readonly Feature[] = enabledFeatures(featureList, config)

/** Bytes of UTF-8 for each unit of a schema's `maxLength`, at most. */
const bytesPerUnit = 3
/** The same in JSON text: a control character. */
const bytesInJSON = 6

const schemaOf = z.object({ maxLength: z.int() })
/** Characters that a schema of texts accepts. Fails for a schema without a bound. */
function longest(schema: z.ZodType): number {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return longest(schema.unwrap() as z.ZodType)
  return schemaOf.parse(z.toJSONSchema(schema)).maxLength
}

/** A member of the body of a call. */
function member(call: string, name: string): z.ZodType {
  const routes = Object.assign({}, ...features.map(({ routes }) => routes))
  const { body } = routes[call].declaration
  const schema: z.ZodObject = typeof body === 'function' ? body(config, mergeTables(features), features) : body
  const found = schema.shape[name]
  if (!found) throw new Error(`${call} has no member ${name}`)
  return found as z.ZodType
}

/** Bytes of the longest value that a schema accepts, stored as it is sent. */
const text = (schema: z.ZodType): number => longest(schema) * bytesPerUnit
/** The same for a schema that bounds the length of its JSON text: finds the longest object that it accepts. */
function object(schema: z.ZodType): number {
  let [low, high] = [0, 1_000_000]
  const accepts = (length: number) => schema.safeParse({ k: '名'.repeat(length) }).success
  if (accepts(high)) throw new Error('The schema has no bound')
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (accepts(middle)) low = middle
    else high = middle
  }
  return low * bytesPerUnit + 100
}
const keyring = createKeyring(['a secret of the tests, 0123456789 abcdefghij'])
const sealed = (bytes: number): number => 'encrypted:'.length + keyring.encrypt('bounds', 'x'.repeat(bytes)).length

/** A row in the payload of an email. */
const row = longestRecord + Math.min(longestMember, longestName * bytesInJSON)
const emailAddress = 320 * bytesInJSON
/** A link with a token and a URL to return to, percent-encoded twice. */
const link = 2048 + longest(callbackURL) * 3 + 2048
/** The rows and links of each kind of email; those that are not here have one of each, and two email addresses. */
const mails: Readonly<Record<string, number>> = { 'organization-invitation': 4 * row + 4 * emailAddress }
const mail = row + link + 2048 + 2 * emailAddress + 1024

/** Three URLs, an email address, and ids and secrets of the flow. */
const signInState = 3 * longest(callbackURL) * bytesInJSON + emailAddress + 2048
/** Numbers in the JSON Web Key of an RSA key of 4096 bits. */
const privateKey = 4096
/** Columns of the session that features add, a username or phone number, and the counters of the attempt. */
const proof = 2 * longest(callbackURL) * bytesInJSON + emailAddress + 4096
/** A secret that another product has made (RFC 4226 asks for 20 bytes), in base64. */
const authenticatorSecret = 1024
const keptProblems = 100 * 400

const bounds: Readonly<Record<string, number>> = {
  'user.name': Math.max(
    text(member('POST /sign-up/email', 'name')),
    text(member('POST /update-user', 'name')),
    text(member('POST /admin/create-user', 'name')),
  ),
  'user.image': Math.max(text(longText), longest(callbackURL)),
  'user.banReason': text(member('POST /admin/ban-user', 'banReason')),
  'user.userText': text(fieldSchema({ type: 'string', unique: false, sortable: false } as never)),
  'session.sessionText': text(fieldSchema({ type: 'string', unique: false, sortable: false } as never)),
  'session.userAgent': maxHeaderSize * 2,
  'verification.value': sealed(signInState),
  'twoFactor.secret': sealed(authenticatorSecret),
  'twoFactor.pendingSecret': sealed(authenticatorSecret),
  'signInChallenge.proof': proof,
  'termsChallenge.proof': proof,
  // Of ten documents, each with an id and a version of 40 characters.
  'user.termsAccepted': 10 * (40 + 40 + 6) + 2,
  'factorReset.reason': text(member('POST /admin/reset-two-factor', 'reason')),
  // Cut.
  'signInChallenge.device': 1000 * bytesPerUnit,
  'jwks.publicKey': privateKey,
  'jwks.privateKey': sealed(privateKey),
  'auditState.details': keptProblems,
  // Cut to the column.
  'caughtMail.subject': maxTextBytes,
  'caughtMail.text': maxTextBytes,
  'caughtMail.html': maxTextBytes,
  // Of a response of 64 KiB.
  'passkey.publicKey': 64 * 1024 - 1,
  'passkey.credentialID': 1364,
  'apikey.permissions': object(member('POST /api-key/create', 'metadata')),
  'apikey.metadata': object(member('POST /api-key/create', 'metadata')),
  'avatar.image': Math.ceil(mostPictureBytes / 3) * 4,
  'userPicture.image': Math.ceil(mostPictureBytes / 3) * 4,
  // The URLs of the store of the operator: letters, digits and signs only.
  'userPicture.url': 2048,
  'pictureDeletion.url': 2048,
  'organization.logo': text(member('POST /organization/create', 'logo')),
  'organization.metadata': object(member('POST /organization/create', 'metadata')),
  // As the queries of the lists accept them.
  'listExport.cursor': 2048 * bytesPerUnit,
  'listExportPart.content': 16_000 * bytesPerUnit,
  'outbox.linkURL': sealed(link),
  'outbox.content': sealed(Math.max(mail, ...Object.values(mails))),
  // A token that does not fit is left out.
  'account.accessToken': maxTextBytes,
  'account.refreshToken': maxTextBytes,
  'account.idToken': maxTextBytes,
  'account.scope': text(longText),
  // A custom hash function may return any text, which `write` checks.
  'account.password': maxTextBytes,
}

/** With the ID of its secret before it. */
const hash = keyring.hash('bounds', 'x').length
/** The longest email address (contract 00 §12). In lower case it is as long, because only ASCII is valid. */
const address = 254
const rowID = 36
/** Longest value of the enumerations in the code. */
const listed = 16
const lists = <T>(of: (feature: Feature) => Readonly<Record<string, T>> | undefined) =>
  Object.entries(featureList).flatMap(([key, feature]) => Object.keys(of(feature) ?? {}).map((name) => [key, name] as const))
const longestOf = (names: readonly string[]) => Math.max(...names.map(({ length }) => length))
const jobName = longestOf(lists(({ jobs }) => jobs).map((names) => names.join('.')))
const pattern = longestOf(features.flatMap(({ routes = {} }) => Object.keys(routes)))
/** Settings with a limit of their own: names of roles and providers, prefixes and starts of keys. */
const configured = 64
/** `roleInput`. */
const roles = 255
/** An IP address with a zone. */
const ipAddress = 64
/** E.164. */
const phoneNumber = 16
/** Authentication methods (contract 11 §11), all in one session. */
const references = ['pwd', 'fed', 'otp', 'sms', 'email', 'rc', 'hwk', 'swk', 'user', 'mfa', 'verification-link']
const emailKinds = longestOf(lists(({ mails }) => mails).map(([, name]) => name))

/** Characters of the longest value of each short text. */
const characters: Readonly<Record<string, number>> = {
  'rateLimit.key': Math.max(ipAddress, 'session:'.length + hash) + pattern + 1,
  ...{ 'mailCount.key': hash, 'attempt.key': hash, 'attempt.account': hash, 'knownDevice.key': hash },
  ...{ 'oneTimeCode.key': hash, 'oneTimeCode.codeHash': hash, 'oneTimeCode.value': rowID },
  ...{ 'caughtMail.kind': emailKinds, 'caughtMail.recipient': address, 'caughtMail.code': 10 },
  // The code or the name of an error, cut to 100.
  ...{ 'outbox.kind': emailKinds, 'outbox.recipient': address, 'outbox.lastError': 100, 'jobRun.error': 100 },
  // `isTimeZone` accepts no longer name.
  ...{ 'outbox.linkHash': hash, 'outbox.locale': listed, 'outbox.timeZone': 64 },
  ...{ 'user.preferredLocale': listed, 'user.preferredTimeZone': 64 },
  ...{ 'auditEvent.action': 64, 'auditEvent.outcome': listed, 'auditEvent.actorKind': listed, 'auditEvent.targetType': 32 },
  // Names of operators are cut to 64, and an id that a call names belongs to a row.
  ...{ 'auditEvent.actorId': rowID, 'auditEvent.actorName': Math.max(64, jobName), 'auditEvent.impersonatedBy': rowID },
  ...{ 'auditEvent.targetId': Math.max(rowID, configured), 'auditEvent.userId': rowID, 'auditEvent.organizationId': rowID },
  ...{ 'auditEvent.ipAddress': ipAddress, 'auditEvent.ipHash': hash, 'auditEvent.requestId': rowID, 'auditEvent.code': hash },
  ...{ 'auditEvent.hash': 64, 'auditState.hash': 64, 'auditState.code': hash },
  ...{ 'user.email': address, 'user.sortName': [...sortNameOf('\ufdfa'.repeat(16_000))].length, 'user.role': roles },
  // The ID of a check is the name of the table that it reads.
  ...{ 'userWord.word': longestOf(wordsOf('\ufdfa'.repeat(16_000))), 'nameCheck.id': 'user'.length, 'nameCheck.position': rowID },
  ...{ 'user.lockReason': longest(member('POST /admin/lock-user', 'reason')), 'user.lockEmail': address },
  ...{ 'lockLink.tokenHash': hash, 'lockLink.email': address },
  'organization.sortName': [...sortNameOf('\ufdfa'.repeat(16_000))].length,
  // `readUsername` rejects a longer one, after its changes.
  'user.username': columnLength,
  'user.displayUsername': longest(Object(ownedShape(config, features, 'operator')).displayUsername),
  ...{ 'user.phoneNumber': phoneNumber, 'user.verifiedPhoneNumber': phoneNumber },
  ...{ 'session.tokenHash': hash, 'session.ipAddress': ipAddress, 'session.activeOrganizationId': rowID },
  'session.activeTeamId': rowID,
  ...{ 'session.impersonatorSessionId': rowID, 'session.passkeyId': rowID },
  // A SHA-256, and as many bytes at random, in base64url.
  ...{ 'passkey.credentialHash': 43, 'passkey.userHandle': 43, 'passkeyUser.handle': 43 },
  ...{ 'passkey.name': longest(member('POST /passkey/update-passkey', 'name')), 'passkey.deviceType': listed },
  // A known one once each; a UUID; the name of a host.
  ...{
    'passkey.transports': 64,
    'passkey.aaguid': 36,
    'passkey.rpID': 253,
    'passkey.relatedOrigin': 'https://:65535'.length + 253,
    'usedChallenge.key': 'passkey:'.length + 32,
  },
  ...{ 'session.acr': 'urn:latchkey:acr:2'.length, 'session.amr': JSON.stringify(references).length },
  ...{ 'twoFactor.issuer': longest(member('POST /two-factor/enable', 'issuer')), 'twoFactor.algorithm': listed },
  ...{ 'twoFactor.pendingIssuer': longest(member('POST /two-factor/enable', 'issuer')), 'twoFactor.otpChannels': listed },
  // Of Argon2id, as `passwordHash` allows it.
  ...{ 'backupCode.start': 2, 'backupCode.hash': 200 },
  ...{ 'factorReset.requestedBy': listed, 'factorReset.administratorId': rowID, 'factorReset.cancelKey': hash },
  'factorReset.factors': resettable.join().length,
  ...{
    'signInChallenge.id': hash,
    'signInChallenge.kind': listed,
    'signInChallenge.sessionId': rowID,
    'signInChallenge.ipAddress': ipAddress,
  },
  ...{
    'termsChallenge.id': hash,
    'termsChallenge.sessionId': rowID,
    'termsAcceptance.subject': hash,
    'termsAcceptance.hash': 64,
  },
  // `documentId` and `documentVersion` reject longer ones. `deviceOf` cuts.
  ...{ 'termsAcceptance.document': 40, 'termsAcceptance.version': 40, 'termsAcceptance.device': 100 },
  ...{ 'termsPostponement.document': 40, 'termsPostponement.version': 40, 'termsAcceptance.ipAddress': ipAddress },
  // Names of devices are cut.
  ...{
    'signInChallenge.networkKey': hash,
    'trustedDevice.key': hash,
    'trustedDevice.formerKey': hash,
    'trustedDevice.browserKey': hash,
    'trustedDevice.name': 255,
  },
  // By `deviceOf`, and by imports.
  ...{ 'twoFactor.addedWith': 100, 'twoFactor.otpAddedWith': 100, 'passkey.addedWith': 100 },
  // `ruleOptions` rejects a rule with a longer one.
  'twoFactorDue.rule': 200,
  ...{ 'verification.identifier': Math.max(hash, 'spent:'.length + 58), 'verification.subject': 64 + 1 + rowID },
  // Of a provider: longer ones are rejected.
  ...{ 'account.accountId': maxIdLength, 'account.providerId': configured, 'account.issuer': maxIdLength },
  ...{ 'role.name': configured, 'passwordScheme.scheme': listed, 'jwks.algorithm': listed },
  'organization.name': longest(member('POST /organization/create', 'name')),
  'organization.slug': longest(newSlug.in as z.ZodType),
  'team.name': longest(member('POST /organization/create-team', 'name')),
  // `newName` of the calls, and `teamInput`.
  ...{ 'organizationRole.role': 64, 'invitation.teamId': 1023 },
  ...{ 'member.role': roles, 'invitation.role': roles, 'invitation.email': address, 'invitation.pendingEmail': address },
  'invitation.status': listed,
  ...{ 'statistic.series': 32, 'statistic.unit': 8, 'statistic.label': Math.max(pattern, 64 + 2 * listed + 2) },
  ...{ 'bulkAction.action': listed, 'bulkAction.state': listed, 'bulkAction.createdBy': rowID },
  'bulkAction.idempotencyKey': configured,
  ...{ 'bulkActionTarget.userId': rowID, 'bulkActionTarget.outcome': listed, 'bulkActionTarget.code': 100 },
  ...{ 'listExport.source': listed, 'listExport.format': listed, 'listExport.state': listed, 'listExport.code': 100 },
  'listExport.createdBy': rowID,
  // Cut, as names of operators are.
  ...{ 'session.signInMethod': 64, 'incidentFreeze.actorName': 64, 'incidentRevocation.actorName': 64 },
  ...{ 'incidentFreeze.kind': listed, 'incidentFreeze.actorId': rowID },
  'incidentFreeze.reason': longest(member('POST /admin/incident/freeze', 'reason')),
  'incidentRevocation.reason': longest(member('POST /admin/incident/revoke', 'reason')),
  ...{ 'incidentRevocation.state': listed, 'incidentRevocation.createdBy': rowID },
  ...{ 'inviteLink.tokenHash': hash, 'inviteLink.role': roles, 'inviteLink.organizationRole': roles },
  ...{ 'inviteLink.organizationId': rowID, 'inviteLink.createdBy': rowID },
  'inviteLink.label': longest(member('POST /admin/create-invite-link', 'label')),
  'waitingListEntry.email': address,
  'waitingListEntry.name': longest(member('POST /waiting-list/join', 'name')),
  ...{ 'waitingListEntry.state': listed, 'waitingListEntry.decidedBy': rowID },
  ...{ 'waitingListEntry.preferredLocale': listed, 'waitingListEntry.preferredTimeZone': 64 },
  ...{ 'jobRun.name': jobName, 'jobRun.outcome': listed },
  ...{
    'apikey.name': 255,
    'apikey.start': configured,
    'apikey.prefix': configured,
    'apikey.key': hash,
    'apikey.configId': configured,
  },
}

const strings = Object.entries(mergeTables(features)).flatMap(([table, columns]) =>
  Object.entries(columns).flatMap(([name, { kind, length = 0 }]) =>
    kind === 'string' ? [[`${table}.${name}`, length] as const] : [],
  ),
)

test.each(strings)('%s has room for %i characters, as its values need', (column, length) => {
  expect(characters[column], 'the column needs a bound in this file').toBeDefined()
  expect(characters[column]).toBeLessThanOrEqual(length)
})

test('a value one character longer than its column is rejected before it is stored', () => {
  for (const { length = 0, ...column } of [string({ length: 5 }), id()])
    for (const character of ['a', '名', '𐐀'])
      expect([0, 1].map((more) => fitsColumn({ ...column, length }, character.repeat(length + more)))).toEqual([true, false])
})

const texts = Object.entries(mergeTables(features)).flatMap(([table, columns]) =>
  Object.entries(columns).flatMap(([name, { kind }]) => (kind === 'text' ? [`${table}.${name}`] : [])),
)

test.each(texts)('%s has room for what its input limits allow', (column) => {
  expect(bounds[column], 'the column needs a bound in this file').toBeDefined()
  expect(bounds[column]).toBeLessThanOrEqual(maxTextBytes)
})

test('lists no column that does not exist', () => {
  expect(Object.keys(bounds).filter((column) => !texts.includes(column))).toEqual([])
  const known = new Set<string>(strings.map(([column]) => column))
  expect(Object.keys(characters).filter((column) => !known.has(column))).toEqual([])
})
