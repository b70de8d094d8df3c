/** The profile of a provider of `genericOAuth`: standard claims (OpenID Connect Core §5.1), from its ID token or its user info endpoint. */
import type { FetchedProfile, ProfileRequest } from './provider.ts'
import { firstText, isYes, type Members, membersOf, readId, type SentProfile } from './reading.ts'

/** `id`: of providers that follow no standard. */
function profileOf(data: Members): FetchedProfile {
  const { sub, id, name, email, email_verified: emailVerified, picture: image } = data
  const isMissing = sub === undefined || sub === null || sub === ''
  const profile = { id: isMissing ? id : sub, name, email, image, emailVerified }
  // Functions of the configuration find the members that better-auth adds, and those of the provider.
  return { profile, data: { ...addedMembers(profile), ...data } }
}

const addedMembers = (sent: SentProfile) => ({
  id: readId(sent.id) ?? '',
  image: firstText(sent.image) || null,
  emailVerified: isYes(sent.emailVerified),
})

export async function standardProfile({ claims, endpoints, tryGet, get }: ProfileRequest): Promise<FetchedProfile | null> {
  const identified = claims?.sub ? profileOf(claims) : null
  // An ID token without an email address says less than the user info endpoint.
  if (identified && firstText(identified.profile.email)) return identified
  const { userInfoEndpoint } = endpoints
  if (userInfoEndpoint === undefined) return identified && { ...identified, needsEmail: true }
  if (!identified) return profileOf(membersOf(await get()))
  const more = membersOf(await tryGet(userInfoEndpoint))
  return more.sub === undefined ? identified : profileOf(more)
}
