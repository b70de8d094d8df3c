/** Values for members and parameters: those that a JSON Schema accepts, and those that break programs. */
import fc, { type Arbitrary } from 'fast-check'
import type { JSONSchema } from '../kit/documented.ts'

/** Words that a lane replaces by what exists in its database, so that requests reach more than a failed lookup. */
export const placeholders = [
  'userId',
  'otherUserId',
  'organizationId',
  'organizationSlug',
  'memberId',
  'teamId',
  'invitationId',
  'token',
  'eventId',
  'signingKeyId',
  'accountId',
  'keyId',
  'apiKey',
  'username',
  'email',
  'otherEmail',
  'password',
  'phoneNumber',
  'code',
] as const
export type Placeholder = (typeof placeholders)[number]
/** Not sent as such: brackets that no real value has. */
export const placeholder = (name: Placeholder): string => `⟦${name}⟧`

/** For a member of this name, what exists. */
const existing: Readonly<Record<string, readonly Placeholder[]>> = {
  id: ['userId', 'otherUserId', 'organizationId', 'invitationId', 'keyId', 'eventId', 'signingKeyId'],
  userId: ['userId', 'otherUserId'],
  targetId: ['userId', 'organizationId'],
  organizationId: ['organizationId'],
  organizationSlug: ['organizationSlug'],
  slug: ['organizationSlug'],
  memberId: ['memberId'],
  memberIdOrEmail: ['memberId', 'email'],
  teamId: ['teamId'],
  invitationId: ['invitationId'],
  token: ['token'],
  sessionToken: ['token'],
  accountId: ['accountId'],
  keyId: ['keyId'],
  key: ['apiKey'],
  username: ['username'],
  email: ['email', 'otherEmail'],
  newEmail: ['otherEmail'],
  phoneNumber: ['phoneNumber'],
  password: ['password'],
  currentPassword: ['password'],
  newPassword: ['password'],
  code: ['code'],
}

/** Names that the configuration knows. */
const configured: Readonly<Record<string, readonly string[]>> = {
  provider: ['github'],
  providerId: ['github', 'custom'],
  role: ['member', 'admin', 'user'],
}

const strangeTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '𝒳'.repeat(50),
  'Ā',
  '日本語',
  '\u202eabc',
  '%',
  '%zz',
  '%00',
  '%c3%28',
  "' OR 1=1 --",
  '"><script>',
  '../../etc/passwd',
  '//evil.example.com',
  'https://evil.example.com/\u0100',
  'javascript:alert(1)',
  'http://localhost:3000\\@evil.example.com',
  '__proto__',
  'constructor',
  'null',
  '9'.repeat(400),
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '-000001-01-01T00:00:00Z',
  'a@b',
  'İ@example.com',
  `${'a'.repeat(320)}@example.com`,
]
const strangeNumbers = [0, -0, -1, 1.5, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 53 + 2, -(2 ** 63), 1e21]

export const strangeText: Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...strangeTexts), weight: 5 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 40 }), weight: 3 },
  { arbitrary: fc.integer({ min: 1, max: 15 }).map((power) => 'ä'.repeat(2 ** power)), weight: 1 },
)

/** Keys that mean something to JavaScript. */
const strangeKeys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', '0', 'then', '$ne', 'length']

export const strangeValue: Arbitrary<unknown> = fc.oneof(
  strangeText,
  fc.constantFrom<unknown>(...strangeNumbers, null, true, false, [], {}, [[]], [null]),
  fc.dictionary(fc.constantFrom(...strangeKeys), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 }),
  fc.array(strangeText, { maxLength: 5 }),
  fc.integer({ min: 1, max: 9 }).map((power) => nested(2 ** power)),
  fc.jsonValue({ maxDepth: 3 }),
)

const nested = (depth: number): unknown => {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

type Resolve = (schema: JSONSchema) => JSONSchema

/** Values that a schema accepts, or almost: patterns and rules between members are not followed. */
export function accepted(schema: JSONSchema, resolve: Resolve, name = ''): Arbitrary<unknown> {
  const resolved = resolve(schema)
  const { enum: values, const: only, anyOf, examples, type } = resolved
  if (Array.isArray(values)) return fc.constantFrom(...values)
  if (only !== undefined) return fc.constant(only)
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((one: JSONSchema) => accepted(one, resolve, name)))
  const byType = acceptedByType([type].flat()[0], resolved, resolve, name)
  return Array.isArray(examples) && examples.length > 0
    ? fc.oneof({ arbitrary: fc.constantFrom(...examples), weight: 3 }, { arbitrary: byType, weight: 1 })
    : byType
}

function acceptedByType(type: unknown, schema: JSONSchema, resolve: Resolve, name: string): Arbitrary<unknown> {
  if (type === 'string') return acceptedText(schema, name)
  if (type === 'integer' || type === 'number') return acceptedNumber(schema)
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'array')
    return fc.array(accepted(Object(schema.items), resolve, name), { minLength: Number(schema.minItems ?? 0), maxLength: 4 })
  if (type === 'object') return acceptedObject(schema, resolve)
  return fc.jsonValue({ maxDepth: 2 })
}

function acceptedText({ format, maxLength = 100, minLength = 0 }: JSONSchema, name: string): Arbitrary<string> {
  const bounds = { minLength: Math.min(Number(minLength), 200), maxLength: Math.min(Number(maxLength), 200) }
  const plain = fc.oneof(fc.string(bounds), fc.string({ unit: 'grapheme', ...bounds }))
  if (format === 'date-time')
    return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }).map((date) => date.toISOString())
  const known = Object.hasOwn(existing, name) ? existing[name] : undefined
  if (known)
    return fc.oneof({ arbitrary: fc.constantFrom(...known).map(placeholder), weight: 6 }, { arbitrary: plain, weight: 1 })
  const names = Object.hasOwn(configured, name) ? configured[name] : undefined
  if (names) return fc.oneof({ arbitrary: fc.constantFrom(...names), weight: 6 }, { arbitrary: plain, weight: 1 })
  if (/URL$|^redirectTo$/.test(name)) return fc.oneof(fc.constantFrom('/', '/dashboard?a=1', '/a/b#c'), fc.webPath())
  if (format === 'email') return fc.emailAddress()
  return plain
}

function acceptedNumber({ type, minimum = -1000, maximum = 1000 }: JSONSchema): Arbitrary<number> {
  const range = { min: Math.max(Number(minimum), -(2 ** 53)), max: Math.min(Number(maximum), 2 ** 53) }
  return type === 'integer'
    ? fc.oneof(fc.integer(range), fc.constantFrom(range.min, range.max))
    : fc.double({ ...range, noNaN: true })
}

function acceptedObject(
  { properties = {}, required = [], additionalProperties }: JSONSchema,
  resolve: Resolve,
): Arbitrary<unknown> {
  const members = Object.entries(Object(properties)).map(([name, member]) => [name, accepted(Object(member), resolve, name)])
  if (members.length === 0 && typeof additionalProperties === 'object' && additionalProperties !== null)
    return fc.dictionary(fc.string({ maxLength: 20 }), accepted(additionalProperties as JSONSchema, resolve), { maxKeys: 3 })
  const isRequired = (name: unknown): boolean => [required].flat().includes(name)
  // What is optional is often rejected, or changes what a call does.
  return fc.oneof(
    fc.record(Object.fromEntries(members), { requiredKeys: required as never[] }),
    fc.record(Object.fromEntries(members.filter(([name]) => isRequired(name)))),
  )
}
