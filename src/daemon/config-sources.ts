/** Finds the files that a configuration is loaded from, and watches them for `dev`. */
import { type FSWatcher, watch } from 'node:fs'
import { registerHooks } from 'node:module'
import { basename, dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Editors change a file several times in quick succession when they save it. */
const debounceMs = 100

/** Watches folders, not files: many editors replace the file. */
export function watchFiles(onChange: () => void) {
  const folders = new Map<string, { readonly names: Set<string>; readonly watcher: FSWatcher }>()
  let timer: NodeJS.Timeout | undefined

  function onEvent(folder: string, name: string | null): void {
    if (name !== null && !folders.get(folder)?.names.has(name)) return
    clearTimeout(timer)
    timer = setTimeout(onChange, debounceMs)
  }

  return {
    add: (files: readonly string[]) => {
      for (const file of files) {
        const folder = dirname(file)
        const known = folders.get(folder)
        if (known) known.names.add(basename(file))
        else folders.set(folder, { names: new Set([basename(file)]), watcher: watch(folder, (_, name) => onEvent(folder, name)) })
      }
    },
    close: () => {
      clearTimeout(timer)
      for (const { watcher } of folders.values()) watcher.close()
    },
  }
}

const ownCode = fileURLToPath(new URL('..', import.meta.url))

/** @returns a live list of the files imported from now on, except packages and Latchkey's own code */
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
