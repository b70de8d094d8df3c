/** The calls for the policy of second factors of an organization (contract 11 §10). They fail unless the configuration permits policies. */
import { z } from 'zod'
import { ApiError } from '../../core/errors.ts'
import { freshSession, sensitiveCalls, session } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import type { Config } from '../index.ts'
import { errors, organizationView, policyView } from './model.ts'
import { requireMembership, type SignedInCall } from './organization-routes.ts'
import { remindMembers } from './policy-reminders.ts'
import { anyId, graceDays, showAdministrators } from './schemas.ts'
import { hasRequiredFactor, permitsPolicies, setPolicy } from './second-factor-policy.ts'
import { admit } from './store.ts'

const policyErrors = [
  errors.TWO_FACTOR_POLICIES_ARE_NOT_ENABLED,
  errors.NO_ACTIVE_ORGANIZATION,
  errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
  errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION,
  errors.ORGANIZATION_NOT_FOUND,
]

/** @returns the ID of the organization whose policy the user may set */
async function requirePolicyUpdate(ctx: SignedInCall, given: string | undefined): Promise<string> {
  if (!permitsPolicies(ctx.config)) throw new ApiError(errors.TWO_FACTOR_POLICIES_ARE_NOT_ENABLED)
  const member = await requireMembership(ctx, { organizationId: given }, errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION)
  await admit(ctx, member, errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION, { organization: ['update'] })
  return member.organizationId
}

export const policyRoutes = {
  'POST /organization/set-two-factor-policy': route({
    summary: 'Set whether members need a second factor',
    description:
      'Requires a second factor of the members of an organization, or stops requiring it; default: the active one. Members without one still sign in, but after the grace, which starts with their first call in the organization, all their calls there fail. With `showAdministrators`, a member who has lost their second factor sees at sign-in the names of administrators. Requires the permission `organization:update`, and a second factor of the current user who requires one. Fails unless `twoFactor.required` permits policies.',
    access: freshSession(sensitiveCalls),
    stepUp: 'recent',
    body: z.object({
      organizationId: anyId.optional(),
      required: z.boolean(),
      graceDays: graceDays.optional(),
      showAdministrators: showAdministrators.optional(),
    }),
    returns: (config: Config) => z.object({ organization: organizationView(config).extend(policyView) }),
    errors: [...policyErrors, errors.YOU_NEED_A_SECOND_FACTOR_TO_REQUIRE_ONE],
    handler: async (ctx) => {
      const { organizationId: given, ...policy } = ctx.body
      const id = await requirePolicyUpdate(ctx, given)
      // Otherwise the policy would stop who sets it.
      if (policy.required && !(await hasRequiredFactor(ctx, ctx.user)))
        throw new ApiError(errors.YOU_NEED_A_SECOND_FACTOR_TO_REQUIRE_ONE)
      return { organization: await setPolicy(ctx, id, policy) }
    },
  }),
  'POST /organization/send-two-factor-reminders': route({
    summary: 'Send reminders to members without a second factor',
    description:
      'Sends an email to members without a second factor: to 100 at most, and to each at most once a day. Requires the permission `organization:update`. `hasMore` says that another call reaches more members.',
    access: session(),
    body: z.object({ organizationId: anyId.optional() }),
    returns: z.object({ sent: z.int().describe('Members who get an email'), hasMore: z.boolean() }),
    errors: policyErrors,
    handler: async (ctx) => remindMembers(ctx, await requirePolicyUpdate(ctx, ctx.body.organizationId)),
  }),
}
