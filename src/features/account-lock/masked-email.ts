/** An email address for a reader who may not be its owner. */

/** @returns such as `a•••@example.com`: as many dots for every address */
export const maskedEmail = (email: string): string => {
  const at = email.lastIndexOf('@')
  const [first = ''] = email
  return `${at > 0 ? first : ''}•••${at > 0 ? email.slice(at) : ''}`
}
