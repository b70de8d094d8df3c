/** What the calls of passkeys share: schemas of the options for the browser, and how a session is shown. */
import { z } from 'zod'
import type { CallContext, SessionView } from '../../core/request.ts'
import { shownToken } from '../sessions/index.ts'

/** Per path and client network (contract 00 §7). */
export const rateLimit = { window: 60, max: 30 }

export const setsChallenge = { 'set-cookie': 'The challenge, for five minutes' }

export const shown = (ctx: CallContext, current: SessionView) => ({ ...current, token: shownToken(ctx, current) })

const example = <T>(value: T) => ({ examples: [value] })
const challenge = z.string().meta(example('k3J0mQy7vZ1bXcR5tL9wNs2uHd8fGa4eKp6iOqYxT0A'))
const credential = z.object({
  id: z.string().meta(example('2uHd8fGa4eKp6iOqYxT0Ak3J0mQy7vZ1bXcR5tL9wNs')),
  transports: z.array(z.string().meta(example('internal'))).optional(),
  type: z.literal('public-key'),
})
const userVerification = z.enum(['discouraged', 'preferred', 'required']).meta(example('preferred'))
const domain = z.string().meta(example('example.com'))

export const creationOptions = z
  .object({
    challenge,
    rp: z.object({ name: z.string().meta(example('Acme')), id: domain }),
    user: z.object({
      id: z.string().meta(example('Xc0RhbG8tVGhpcy1pcy1hLXJhbmRvbS1oYW5kbGUtOmo')),
      name: z.string().meta(example('ann@example.com')),
      displayName: z.string().meta(example('Ann Example')),
    }),
    pubKeyCredParams: z.array(z.object({ alg: z.int().meta(example(-8)), type: z.literal('public-key') })),
    timeout: z.int().meta({ ...example(60_000), description: 'Milliseconds' }),
    attestation: z.enum(['none', 'direct', 'enterprise']).meta(example('none')),
    excludeCredentials: z.array(credential),
    authenticatorSelection: z.object({
      residentKey: z.enum(['discouraged', 'preferred', 'required']).meta(example('preferred')),
      userVerification,
      authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
      requireResidentKey: z.boolean(),
    }),
    extensions: z.object({ credProps: z.literal(true) }).catchall(z.unknown()),
    hints: z.array(z.string()).meta(example([])),
  })
  .meta({ title: 'PasskeyCreationOptions' })

export const requestOptions = z
  .object({
    rpId: domain,
    challenge,
    allowCredentials: z.array(credential).optional(),
    timeout: z.int().meta({ ...example(60_000), description: 'Milliseconds' }),
    userVerification,
    extensions: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'Of `passkey.authentication.extensions`', ...example({ largeBlob: { read: true } }) }),
  })
  .meta({ title: 'PasskeyRequestOptions' })

export const accepted = z.object({
  rpId: domain,
  userId: z.string().meta(example('Xc0RhbG8tVGhpcy1pcy1hLXJhbmRvbS1oYW5kbGUtOmo')),
  allAcceptedCredentialIds: z.array(z.string().meta(example('2uHd8fGa4eKp6iOqYxT0Ak3J0mQy7vZ1bXcR5tL9wNs'))),
  name: z.string().meta(example('ann@example.com')),
  displayName: z.string().meta(example('Ann Example')),
})
