/** Example values for the API reference, made from JSON Schemas. */

export interface JSONSchema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly JSONSchema[]
  readonly items?: JSONSchema
  readonly properties?: Readonly<Record<string, JSONSchema>>
  readonly required?: readonly string[]
  readonly description?: string
}

/** One value for a member of this name, wherever it appears. A schema's own `examples` win. */
const byName: Readonly<Record<string, unknown>> = {
  aaguid: 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4',
  accountId: '583231',
  activeOrganizationId: 'm4Tn8Yq2Lx6Wc0Rb5Zd9Kf3Hp7Js1VgQ',
  activeTeamId: 'e5Jw2Kc8Pz4Mx0Vt6Nb3Rd9Lf7Hq1YsB',
  actorId: 'a8Kd02LmQw7xTz5Rb4Yc1Vn6Hs3Jp9Gf',
  actorName: 'Ann Example',
  addedWith: 'Chrome 142 on Windows',
  administratorId: 'a8Kd02LmQw7xTz5Rb4Yc1Vn6Hs3Jp9Gf',
  after: 'q3v5XsYb1cE6hJ3mA5dGf0wLr8Tn2Kp7',
  algorithm: 'SHA1',
  appliedBy: 'latchkey 0.1.0',
  banExpires: '2026-02-15T09:30:00.000Z',
  banReason: 'Spam',
  configId: 'default',
  lockReason: 'Owner called',
  callbackURL: '/dashboard',
  code: '482913',
  createdBy: 'a8Kd02LmQw7xTz5Rb4Yc1Vn6Hs3Jp9Gf',
  credentialID: 'KEDetxZcUfinhVi6Za5nZQ',
  currentPassword: 'correct horse battery staple',
  decidedBy: 'a8Kd02LmQw7xTz5Rb4Yc1Vn6Hs3Jp9Gf',
  description: 'Lifetime of a session in seconds',
  device: 'a9Gf3Jp7Hs1Vn6Yc5Rb4Tz0QmL2dKw8x',
  deviceType: 'multiDevice',
  locale: 'de',
  displayUsername: 'Ann',
  document: 'privacy',
  email: 'ann@example.com',
  environment: 'production',
  expiresAt: '2026-01-22T09:30:00.000Z',
  factors: 'totp,backup-codes',
  file: 'auth.config.ts',
  filterValue: 'admin',
  handle: 'mJ3mA5dGf0wLr8Tn2Kp7q3v5XsYb1cE6',
  hash: 'c4y8JfWj.Zk2p0vXnq7Lw4tR9sYb1cE6hJ3mA5dGfLr8Tn2Kp7u0',
  host: 'auth-1',
  html: '<p>Confirm your email address.</p>',
  id: 'q3v5XsYb1cE6hJ3mA5dGf0wLr8Tn2Kp7',
  image: 'https://app.example.com/ann.png',
  impersonatedBy: 'c1Hf7Nq3Xb9Lk5Tz2Wd8Rm4Vs6Yp0JgA',
  invitationId: 'c1Hf7Nq3Xb9Lk5Tz2Wd8Rm4Vs6Yp0JgA',
  inviterId: 'a8Kd02LmQw7xTz5Rb4Yc1Vn6Hs3Jp9Gf',
  ipAddress: '192.0.2.10',
  issuer: 'Acme',
  key: 'acme_yJgyfJps5WIgEFf0tkFQTMPKghXkgJWRLmoVQOidURdWaPc57G1BqHKcpl1VJEv2',
  keyId: '5Xn1Q0c8m2VZk3a9RtYbLw7EuDfGhJpS',
  kid: 'q8Zt3VxLw2Rr8Yp5Xn1Bc7Md4Gh6Js0F',
  kind: 'verification',
  kinds: ['verification', 'reset-password'],
  lastError: 'ECONNREFUSED',
  logo: 'https://app.example.com/acme.png',
  memberId: 'q3v5XsYb1cE6hJ3mA5dGf0wLr8Tn2Kp7',
  memberIdOrEmail: 'bob@example.com',
  memoryPolicy: 'noeviction',
  metadata: '{"plan":"pro"}',
  name: 'Ann Example',
  newEmail: 'ann.new@example.com',
  newPassword: 'a new horse battery staple',
  next: 'WzE3Njg0Njk0MDAwMDAsInEzdjVYc1liMWNFNmgiXQ',
  nextCursor: 'WzE3Njg0NjkwMDAwMDBd',
  node: '24.21.0',
  openapi: '3.1.1',
  organizationId: 'm4Tn8Yq2Lx6Wc0Rb5Zd9Kf3Hp7Js1VgQ',
  organizationSlug: 'acme',
  origin: 'auth.config.ts',
  otp: '493027',
  otpAddedWith: 'Chrome 142 on Windows',
  otpChannels: 'sms,email',
  password: 'correct horse battery staple',
  pending: ['0002_organizations'],
  pendingIssuer: 'Acme',
  permissions: '{"projects":["read"]}',
  phoneNumber: '+15555550123',
  prefix: 'acme_',
  previousCursor: 'WzE3Njg0NjkwMDAwMDFd',
  previousHash: 'c4y8JfWj.p0vXnq7Lw4tR9sYb1cE6hJ3mA5dGfLr8Tn2Kp7u0Zk2',
  provider: 'github',
  providerId: 'github',
  providers: ['github'],
  publicKey: 'pQECAyYgASFYIHQ1dGVzdC1rZXk',
  reason: 'Ann has lost her phone',
  recipient: 'ann@example.com',
  redirectTo: '/reset-password',
  requestedBy: 'administrator',
  referenceId: 'a8Kd02LmQw7xTz5Rb4Yc1Vn6Hs3Jp9Gf',
  requestId: 'ab3PHXaN8RkeBYAOPaWv',
  role: 'user',
  roleId: 'r2Vx8Kd5Tz1Qm7Lc4Wb9Nf3Hs6Jp0GyA',
  roleName: 'auditor',
  rule: 'role:admin',
  rpID: 'example.com',
  scope: 'read:user,user:email',
  scopes: ['read:user', 'user:email'],
  search: 'ann',
  sessionId: 'p5Nd7Wk3Hx1Zr9Tb4Mc8Lv2Jg6Qs0FyA',
  sessionToken: 'Zk2p0vXnq7Lw4tR9sYb1cE6hJ3mA5dGf',
  slug: 'acme',
  start: 'acme_y',
  status: 'pending',
  subject: 'Confirm your email address for Acme',
  targetId: 'q3v5XsYb1cE6hJ3mA5dGf0wLr8Tn2Kp7',
  targetName: 'Bob Example',
  teamId: 'e5Jw2Kc8Pz4Mx0Vt6Nb3Rd9Lf7Hq1YsB',
  teamIds: ['e5Jw2Kc8Pz4Mx0Vt6Nb3Rd9Lf7Hq1YsB'],
  text: 'Confirm your email address.',
  token: 'Zk2p0vXnq7Lw4tR9sYb1cE6hJ3mA5dGf',
  transports: 'internal,hybrid',
  ungenerated: ['create table organization'],
  url: '/dashboard',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  userId: 'a8Kd02LmQw7xTz5Rb4Yc1Vn6Hs3Jp9Gf',
  username: 'ann',
  version: '8.4.6',
  word: 'ann',
}

interface Options {
  /** For a request: optional members are left out, unless no member is required. */
  readonly requiredOnly: boolean
}

/** @returns undefined for a schema that accepts no value */
export function exampleOf(schema: JSONSchema, options: Options, name = ''): unknown {
  const [own] = schema.examples ?? schema.enum ?? []
  if (own !== undefined) return own
  if (schema.const !== undefined) return schema.const
  if (schema.type === 'null') return null
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0], options, name)
  const [type] = [schema.type ?? []].flat()
  const named = Object.hasOwn(byName, name) ? byName[name] : undefined
  if (named !== undefined && (Array.isArray(named) ? 'array' : typeof named) === type) return named
  if (type === 'object') return objectExample(schema, options)
  if (type === 'array') return schema.items ? [exampleOf(schema.items, options)] : []
  return plainExample(type, schema.format)
}

function plainExample(type: string | undefined, format: string | undefined): unknown {
  if (format === 'date-time') return '2026-01-15T09:30:00.000Z'
  if (type === 'string') return 'text'
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return 1
  return undefined
}

function objectExample({ properties = {}, required = [] }: JSONSchema, options: Options): Record<string, unknown> {
  const isLimited = options.requiredOnly && required.length > 0
  const members = Object.entries(properties).filter(([name]) => !isLimited || required.includes(name))
  // A member of any type has no example of its own.
  const exampleFor = (name: string, property: JSONSchema) =>
    exampleOf(property, options, name) ?? (required.includes(name) ? null : undefined)
  return Object.fromEntries(members.map(([name, property]) => [name, exampleFor(name, property)]))
}
