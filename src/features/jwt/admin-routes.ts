/** Signing keys for administrators: what `latchkey keys` does. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { freshPermission, permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import type { Config } from '../index.ts'
import { canOpen, readPublicKey } from './key-pairs.ts'
import type { SigningKey } from './key-states.ts'
import { errors, listKeys } from './keys.ts'
import { retireKey, rotateKeys } from './rotation.ts'

const keyView = z.object({
  kid: z.string().describe('ID of the key, also in the header of its tokens'),
  algorithm: z.string().meta({ examples: ['EdDSA'] }),
  curve: z
    .string()
    .nullable()
    .describe('Null for RSA')
    .meta({ examples: ['Ed25519'] }),
  status: z
    .enum(['upcoming', 'current', 'retired'])
    .describe('`upcoming`: published, and signs later; `retired`: published only'),
  createdAt: isoDate,
  activatesAt: isoDate.describe('From then on it signs'),
  endsAt: isoDate.nullable().describe('From then on another key signs; null: not known yet'),
  rotatesAt: isoDate.nullable().describe('When the automatic rotation replaces it; null: another key already does, or it is off'),
  publishedUntil: isoDate.nullable().describe('When the last of its tokens has expired; null: not known yet'),
  isReadable: z.boolean().describe('Whether the configured secrets decrypt its private key'),
})
export type SigningKeyView = z.input<typeof keyView>

/** A key without its private part. */
export function describeKey(app: App, { row, status, endsAt, publishedUntil }: SigningKey): SigningKeyView {
  const { rotationInterval } = app.config.jwt.jwks
  const isRotated = rotationInterval > 0 && endsAt === null
  return {
    kid: row.id,
    algorithm: row.algorithm,
    curve: readPublicKey(row).crv ?? null,
    status,
    createdAt: row.createdAt,
    activatesAt: row.activatesAt,
    endsAt,
    rotatesAt: isRotated ? new Date(row.activatesAt.getTime() + rotationInterval * 1000) : null,
    publishedUntil,
    isReadable: canOpen(app, row),
  }
}

const exists = ({ admin }: Config): boolean => admin.enabled

export const adminRoutes = {
  'GET /admin/list-signing-keys': route({
    summary: 'List signing keys',
    description:
      'Returns the keys that sign tokens or have signed valid ones, newest first, without their private parts. Only for users whose role permits `signingKey:list`.',
    access: permission({ signingKey: ['list'] }),
    exists,
    returns: z.object({
      keys: z.array(keyView),
      rotationInterval: z.int().describe('Seconds between automatic rotations; 0: off'),
      activationDelay: z.int().describe('Seconds that a new key is published before it signs'),
    }),
    handler: async (ctx) => {
      const { rotationInterval, activationDelay } = ctx.config.jwt.jwks
      const keys = (await listKeys(ctx)).map((key) => describeKey(ctx, key)).reverse()
      return { keys, rotationInterval, activationDelay }
    },
  }),
  'POST /admin/rotate-signing-key': route({
    summary: 'Rotate the signing key',
    description:
      'Publishes a new key, which signs after `jwt.jwks.activationDelay`, so that verifiers can fetch it first. Tokens of the current key stay valid. Returns the key that is published already if a rotation is in progress. Only for users whose role permits `signingKey:rotate`.',
    access: freshPermission({ signingKey: ['rotate'] }),
    stepUp: 'recent',
    exists,
    returns: z.object({
      key: keyView,
      isCreated: z.boolean().describe('False: the key was published already'),
    }),
    errors: [errors.SIGNING_KEY_NOT_FOUND],
    handler: async (ctx) => {
      const { key, isCreated } = await rotateKeys(ctx)
      return { key: describeKey(ctx, key), isCreated }
    },
  }),
  'POST /admin/retire-signing-key': route({
    summary: 'Retire a signing key',
    description:
      'Ends the use of a key: another one signs immediately. Its tokens stay valid until they expire; with `removeNow` the key is not published any more, and its tokens are rejected. Only for users whose role permits `signingKey:retire`.',
    access: freshPermission({ signingKey: ['retire'] }),
    stepUp: 'recent',
    exists,
    body: z.object({
      kid: z.string().min(1).max(36).describe('ID of the key'),
      removeNow: z.boolean().default(false).describe('Reject the tokens of the key: for a key that is compromised'),
    }),
    returns: z.object({
      current: keyView.describe('The key that signs from now on'),
      retired: keyView.nullable().describe('Null: it is not published any more'),
    }),
    errors: [errors.SIGNING_KEY_NOT_FOUND, errors.SIGNING_KEY_ALREADY_RETIRED],
    handler: async (ctx) => {
      const { signing, retired } = await retireKey(ctx, ctx.body.kid, ctx.body.removeNow)
      return { current: describeKey(ctx, signing), retired: retired && describeKey(ctx, retired) }
    },
  }),
}
