/** Which files a configuration is made from, so that `dev` can watch them. */
import { registerHooks } from 'node:module'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const ownCode = fileURLToPath(new URL('..', import.meta.url))

/** @returns a live list of the files imported from now on, without packages and this program's own code */
export function recordSources(): ReadonlySet<string> {
  const sources = new Set<string>()
  registerHooks({
    load: (url, context, next) => {
      const path = url.startsWith('file:') ? fileURLToPath(url) : ''
      if (path && !path.startsWith(ownCode) && !path.includes(`${sep}node_modules${sep}`)) sources.add(path)
      return next(url, context)
    },
  })
  return sources
}
