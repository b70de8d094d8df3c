/** A feature that demands a code before each sign-in, as a second factor would; the code is always `right`. */
import { z } from 'zod'
import type { App } from '../../../src/core/app.ts'
import { ApiError, defineErrors } from '../../../src/core/errors.ts'
import type { Feature } from '../../../src/core/feature.ts'
import { anyone } from '../../../src/core/permissions.ts'
import type { CallContext, UserRow } from '../../../src/core/request.ts'
import { route } from '../../../src/core/route.ts'
import type { Proof, ProofKind } from '../../../src/core/sign-in.ts'
import { nullable, string } from '../../../src/core/table.ts'
import { afterCommit } from '../../../src/core/transaction.ts'
import { resumeSignIn, errors as sessionErrors } from '../../../src/features/sessions/index.ts'
import {
  createVerification,
  findVerification,
  type TokenPurpose,
  takeVerification,
} from '../../../src/features/verifications/index.ts'

const errors = defineErrors({
  NO_CHALLENGE: [401, 'No challenge'],
  WRONG_CODE: [401, 'Wrong code'],
})

const everyKind: readonly ProofKind[] = ['first-factor', 'new-user', 'existing-session', 'replaced-session']
const lifetime = 600

interface Stored {
  readonly user: Pick<UserRow, 'id' | 'accessRevision'>
  readonly proof: Proof
}

/** @param demands whether a sign-in is challenged now @param name of the challenge, of its cookie and of its path */
export function plantedChallenge(demands: (user: UserRow, proof: Proof) => boolean, name = 'code', kinds = everyKind) {
  const page = `/${name}`
  // Of no feature: a lock of an account does not know it.
  const purpose = `planted-${name}` as TokenPurpose

  async function demand(ctx: CallContext, user: UserRow, proof: Proof) {
    // The client of a replaced session repeats its call after the answer.
    const isAnswered = proof.kind === 'replaced-session' && (await takeVerification(ctx, purpose, user.id)) !== null
    if (isAnswered || !demands(user, proof)) return null
    const token = ctx.random.token(32)
    const stored: Stored = { user: { id: user.id, accessRevision: user.accessRevision }, proof }
    await createVerification(ctx, { purpose, token, value: JSON.stringify(stored), expiresIn: lifetime })
    // In the transaction of the sign-in, which may be undone or repeated.
    await afterCommit(ctx, async () => ctx.cookies.set(name, `${name}=${token}; Max-Age=${lifetime}; Path=/; HttpOnly`))
    return { body: { codeRequired: page, secret: 'not sent' }, location: `${page}?callbackURL=${proof.callbackURL ?? ''}` }
  }

  const explain = async (_: App, user: UserRow, proof: Proof) => ({
    steps: demands(user, proof) ? [{ step: 'challenge', result: name, reason: 'planted' }] : [],
  })

  async function answer(ctx: CallContext) {
    const token = ctx.request.cookie(name) ?? ''
    const value = await findVerification(ctx, purpose, token)
    if (value === null) throw new ApiError(errors.NO_CHALLENGE)
    const { user, proof }: Stored = JSON.parse(value)
    ctx.cookies.set(name, `${name}=; Max-Age=0; Path=/`)
    if (proof.kind === 'replaced-session') {
      await createVerification(ctx, { purpose, token: user.id, value: 'answered', expiresIn: lifetime })
      return { token: null }
    }
    const proven = { ...proof, amr: [...proof.amr, 'otp'], columns: { ...proof.columns, secondFactor: name } }
    const { session } = await resumeSignIn(ctx, user, proven, {
      name,
      claim: async (tx) => {
        if (!(await takeVerification(tx, purpose, token))) throw new ApiError(errors.NO_CHALLENGE)
        return null
      },
      rejection: errors.NO_CHALLENGE,
    })
    return { token: session.token }
  }

  return {
    tables: { session: { secondFactor: nullable(string()) } },
    errors,
    challenge: { name, kinds, page, returns: z.object({ codeRequired: z.string() }), demand, explain },
    routes: {
      [`POST /planted/${name}`]: route({
        summary: `Answer the challenge ${name}`,
        access: anyone(),
        signsIn: everyKind,
        body: z.object({ code: z.string() }),
        returns: z.object({ token: z.string().nullable() }),
        errors: [...Object.values(errors), sessionErrors.FAILED_TO_CREATE_SESSION],
        handler: async (ctx) => {
          if (ctx.body.code !== 'right') throw new ApiError(errors.WRONG_CODE)
          return answer(ctx)
        },
      }),
    },
  } satisfies Feature
}
