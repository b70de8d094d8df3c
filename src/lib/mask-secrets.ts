const userInformation = /([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/]*@/gi
const secretParameter = /([?&](?:[\w-]{0,20}(?:token|secret|password)|code|state)=)[^&\s#"']+/gi

/** Hides user and password in addresses (RFC 3986 §3.2.1), and secret query parameters, wherever they stand in a text. */
export function maskSecrets(text: string): string {
  const masked = text.includes('://') ? text.replace(userInformation, '$1***@') : text
  return masked.includes('=') ? masked.replace(secretParameter, '$1***') : masked
}
