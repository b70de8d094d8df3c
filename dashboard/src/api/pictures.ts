/** Addresses of pictures: always of this server, which fetches them from where they are. Other servers learn nothing of visitors. */
import { apiPath } from './calls.ts'

/** Another picture has another address, so that browsers can keep each. */
function addressOf(path: string, id: string, source: string): string {
  let hash = 0
  for (let at = 0; at < source.length; at += 1) hash = (Math.imul(hash, 31) + source.charCodeAt(at)) >>> 0
  return `${apiPath}/${path}/${encodeURIComponent(id)}?v=${hash.toString(36)}`
}

/** @returns undefined when the user has no picture */
export const userPicture = ({ id, image }: { readonly id: string; readonly image?: string | null | undefined }) =>
  image ? addressOf('avatar', id, image) : undefined

/** @returns undefined when the organization has no logo */
export const organizationLogo = ({ id, logo }: { readonly id: string; readonly logo?: string | null | undefined }) =>
  logo ? addressOf('organization/logo', id, logo) : undefined
