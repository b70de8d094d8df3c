/**
 * Names of the authenticators that make passkeys, by their AAGUID. `provider-names.txt` is the community list
 * (passkey-authenticator-aaguids, with the names of the FIDO metadata) as of 2026-04-12, without its icons;
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
